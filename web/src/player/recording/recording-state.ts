import { andThen, type Step } from '../../../../server/src/shared/with-web/step.ts'
import type { SourceProblem } from './open-source.ts'
import { mediaAt, wallAt, type Piece } from './recorded-time.ts'

/** Why the user can no longer see the recordings. `missing`: the camera does not exist anymore. */
export type AccessLoss = 'permission' | 'session' | 'missing'

/** The state of a recording, as shown to the viewer. Times are Unix seconds. */
export type RecordingState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'shown'; readonly audio: boolean }
  /** Nothing was recorded at or soon after this time. */
  | { readonly kind: 'nothing' }
  /** Everything up to the next long gap has been played; the last frame stays visible. */
  | { readonly kind: 'played' }
  /** The recording was deleted after its playlist was fetched. */
  | { readonly kind: 'gone' }
  /** No connection; the player is retrying. */
  | { readonly kind: 'lost' }
  /** The browser cannot play this kind of video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'ended'; readonly reason: AccessLoss }

interface Range {
  readonly from: number
  readonly to: number
}

/** Playback of one camera's recordings: one playlist after the other, across gaps. */
export interface PlayerState {
  /** What was reported last. */
  readonly shown: RecordingState
  readonly playing: boolean
  /** The current playlist has audio. */
  readonly audio: boolean
  /** Number of the current playlist. Results of an earlier one are ignored. */
  readonly turn: number
  /** The current playlist is attached to the video. */
  readonly attached: boolean
  /** What the current playlist contains; empty until that's known. */
  readonly pieces: readonly Piece[]
  /** The range requested for the current playlist. */
  readonly range: Range
  /** The requested time, or the last one shown. */
  readonly target: number | undefined
  /** The playlist follows the previous one; the user did not seek. */
  readonly onward: boolean
  /** Attempts since a playlist was last ready. */
  readonly failures: number
  /** Playback has ended for good. */
  readonly over: boolean
}

export type PlayerEvent =
  /** The user seeks to a time, or to the next recorded one. */
  | { readonly kind: 'go'; readonly at: number }
  | { readonly kind: 'play'; readonly playing: boolean }
  | { readonly kind: 'attached'; readonly turn: number }
  /** The playlist was read. */
  | { readonly kind: 'ready'; readonly turn: number; readonly pieces: readonly Piece[] }
  /** All of the playlist lies before the requested time. */
  | { readonly kind: 'past-end'; readonly turn: number }
  | { readonly kind: 'audio'; readonly audio: boolean }
  /** The connection failed, or the code that plays playlists could not be loaded. */
  | { readonly kind: 'lost'; readonly turn: number }
  | { readonly kind: 'problem'; readonly turn: number; readonly problem: SourceProblem }
  /** The service refused a request with `status`; `loss` says whether the camera was lost. */
  | {
      readonly kind: 'refused'
      readonly turn: number
      readonly status: number
      readonly loss: AccessLoss | undefined
    }
  /** The video shows a frame. @param media its position in the playlist, seconds */
  | { readonly kind: 'moved'; readonly media: number }
  /** The video waits for data. */
  | { readonly kind: 'waiting' }
  /** The video has reached the end of the playlist. */
  | { readonly kind: 'played' }
  /** It's time to connect again. */
  | { readonly kind: 'retry' }
  /** The browser is online again. */
  | { readonly kind: 'online' }
  | { readonly kind: 'access-lost'; readonly reason: AccessLoss }
  | { readonly kind: 'stopped' }

export type PlayerEffect =
  | { readonly kind: 'report'; readonly state: RecordingState }
  | { readonly kind: 'report-time'; readonly at: number }
  | { readonly kind: 'report-end'; readonly at: number }
  /** Detaches the playlist and forgets a planned retry. */
  | { readonly kind: 'close' }
  | { readonly kind: 'open'; readonly turn: number; readonly range: Range }
  /** Plans a `retry`, after this many failures. */
  | { readonly kind: 'plan-retry'; readonly failures: number }
  /** Copies the current frame, so that seeking shows no black frame. */
  | { readonly kind: 'keep-still' }
  | { readonly kind: 'wipe-still' }
  /** Removes the last decoded frame, which some browsers keep on screen. */
  | { readonly kind: 'unload' }
  | { readonly kind: 'seek'; readonly media: number }
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' }
  /** Asks whether the user has lost the camera, which is answered by `refused`. */
  | { readonly kind: 'check-access'; readonly turn: number; readonly status: number }
  /** Answered by `past-end`, once the playlist is attached. */
  | { readonly kind: 'plan-past-end'; readonly turn: number }

type PlayerStep = Step<PlayerState, PlayerEffect>

export const initialPlayer: PlayerState = {
  shown: { kind: 'waiting' },
  playing: false,
  audio: false,
  turn: 0,
  attached: false,
  pieces: [],
  range: { from: 0, to: 0 },
  target: undefined,
  onward: false,
  failures: 0,
  over: false,
}

/** Seconds of one playlist before and after the requested time: a whole day would be a megabyte. */
const before = 300
const after = 1800
/** Seconds by which the end of a segment may be inaccurate. */
const rounding = 0.05

/** @param bounds playback stays within these times */
export function afterPlayerEvent(state: PlayerState, event: PlayerEvent, bounds: Range): PlayerStep {
  if ('turn' in event && event.turn !== state.turn) return { state, effects: [] }
  switch (event.kind) {
    case 'go':
      return go(state, event.at, bounds)
    case 'play':
      return play(state, event.playing)
    case 'attached':
      return { state: { ...state, attached: true }, effects: [] }
    case 'ready':
      return ready(state, event.pieces)
    case 'past-end':
      return atEnd(state, state.target ?? 0)
    case 'audio': {
      const next = { ...state, audio: event.audio }
      return state.shown.kind === 'shown'
        ? report(next, { kind: 'shown', audio: event.audio })
        : { state: next, effects: [] }
    }
    case 'lost':
      return lost(state)
    case 'problem':
      return failed(state, event.problem)
    case 'refused':
      return refused(state, event.status, event.loss)
    case 'moved':
      return moved(state, event.media, bounds)
    case 'waiting':
      return state.attached && state.shown.kind === 'shown'
        ? report(state, { kind: 'waiting' })
        : { state, effects: [] }
    case 'played': {
      const last = state.pieces.at(-1)
      return last ? open(state, last.wall + last.seconds + rounding, true, bounds) : { state, effects: [] }
    }
    case 'online':
      return state.shown.kind === 'lost' ? open(state, state.target ?? 0, state.onward, bounds) : { state, effects: [] }
    case 'retry':
      return open(state, state.target ?? 0, state.onward, bounds)
    case 'access-lost':
      return state.over ? { state, effects: [] } : finish(state, { kind: 'ended', reason: event.reason })
    case 'stopped':
      return close({ ...state, over: true })
  }
}

function go(state: PlayerState, at: number, bounds: Range): PlayerStep {
  if (state.over) return { state, effects: [] }
  const { from, to } = state.range
  const media = state.attached && at >= from && at < to ? mediaAt(state.pieces, at) : undefined
  if (media === undefined) return open(state, at, false, bounds)
  return {
    state: { ...state, target: at },
    effects: [{ kind: 'seek', media }, ...(state.playing ? [{ kind: 'play' } as const] : [])],
  }
}

function play(state: PlayerState, playing: boolean): PlayerStep {
  const next = { ...state, playing }
  if (state.over) return { state: next, effects: [] }
  if (!playing) return { state: next, effects: [{ kind: 'pause' }] }
  return { state: next, effects: state.attached ? [{ kind: 'play' }] : [] }
}

function ready(state: PlayerState, pieces: readonly Piece[]): PlayerStep {
  const next = { ...state, pieces, failures: 0 }
  if (mediaAt(pieces, state.target ?? 0) === undefined) {
    return { state: next, effects: [{ kind: 'plan-past-end', turn: state.turn }] }
  }
  return { state: next, effects: state.playing ? [{ kind: 'play' }] : [] }
}

function moved(state: PlayerState, media: number, { to }: Range): PlayerStep {
  const at = wallAt(state.pieces, media)
  if (at === undefined) return { state, effects: [] }
  const wiped: PlayerEffect[] = state.shown.kind === 'shown' ? [] : [{ kind: 'wipe-still' }]
  const isAtEnd = at >= to - rounding && state.playing
  const movedOn: PlayerStep = { state: { ...state, target: at }, effects: wiped }
  return andThen(movedOn, (next) =>
    andThen(report(next, { kind: 'shown', audio: state.audio }), (reported) => ({
      state: reported,
      effects: [
        { kind: 'report-time', at: Math.min(at, to) },
        ...(isAtEnd ? ([{ kind: 'pause' }, { kind: 'report-end', at: to }] as const) : []),
      ],
    })),
  )
}

/** Opens the playlist around a time. @param onward whether it follows the previous playlist */
function open(state: PlayerState, at: number, onward: boolean, { from, to }: Range): PlayerStep {
  const range = { from: Math.max(from, onward ? at : at - before), to: Math.min(to, at + after) }
  const kept: PlayerStep = { state: { ...state, target: at, onward, range }, effects: [{ kind: 'keep-still' }] }
  return andThen(andThen(kept, close), (next) => {
    if (range.to <= range.from) return atEnd(next, at)
    return andThen(report(next, { kind: 'waiting' }), (waiting) => ({
      state: waiting,
      effects: [{ kind: 'open', turn: waiting.turn, range }],
    }))
  })
}

function failed(state: PlayerState, problem: SourceProblem): PlayerStep {
  if (problem.kind !== 'refused') return finish(state, problem)
  const { status } = problem
  if (status !== 401 && status !== 403 && status !== 404) return lost(state)
  return { state, effects: [{ kind: 'check-access', turn: state.turn, status }] }
}

function refused(state: PlayerState, status: number, loss: AccessLoss | undefined): PlayerStep {
  if (loss) return finish(state, { kind: 'ended', reason: loss })
  if (status !== 404) return lost(state)
  return state.pieces.length > 0 ? finish(state, { kind: 'gone' }) : atEnd(state, state.target ?? 0)
}

const lost = (state: PlayerState): PlayerStep =>
  andThen(
    andThen(close(state), (next) => report(next, { kind: 'lost' })),
    (next) => ({
      state: { ...next, failures: next.failures + 1 },
      effects: [{ kind: 'plan-retry', failures: next.failures }],
    }),
  )

/** Nothing to play from here on, for at least half an hour or up to the bound. */
const atEnd = (state: PlayerState, at: number): PlayerStep =>
  andThen(close(state), (next) => {
    const reported = report(next, { kind: next.onward ? 'played' : 'nothing' })
    const wiped: PlayerEffect[] = next.onward ? [] : [{ kind: 'wipe-still' }]
    return { state: reported.state, effects: [...wiped, ...reported.effects, { kind: 'report-end', at }] }
  })

const finish = (state: PlayerState, shown: RecordingState): PlayerStep =>
  andThen(close(state), (next) => {
    if (shown.kind !== 'ended') return report(next, shown)
    const gone: PlayerStep = { state: { ...next, over: true }, effects: [{ kind: 'wipe-still' }, { kind: 'unload' }] }
    return andThen(gone, (over) => report(over, shown))
  })

const close = (state: PlayerState): PlayerStep => ({
  state: { ...state, turn: state.turn + 1, attached: false, pieces: [] },
  effects: [{ kind: 'close' }],
})

/** Reports a state, unless it's what was reported last. */
function report(state: PlayerState, shown: RecordingState): PlayerStep {
  const was = state.shown
  const isSame = was.kind === 'shown' && shown.kind === 'shown' ? was.audio === shown.audio : was.kind === shown.kind
  return { state: { ...state, shown }, effects: isSame ? [] : [{ kind: 'report', state: shown }] }
}
