import { unchanged, type Step } from '../../shared/with-web/step.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'

/** Segments listed in a playlist, and segments kept: a player can follow an old playlist for its own length (RFC 8216, 6.2.2). */
const count = { listed: 6, held: 13 }

/** Bytes of all kept segments, and of one. Beyond, old segments are deleted, or the next key frame is awaited. */
const max = { held: 64 << 20, segment: 24 << 20 }

/** Seconds without a key frame after which a segment is discarded. */
const longest = 20

export interface HlsSegment {
  readonly number: number
  readonly stream: number
  /** Number of discontinuities up to this segment. */
  readonly breaks: number
  /** Arrival time, Unix milliseconds. */
  readonly at: number
  /** Seconds. */
  readonly duration: number
  readonly data: Buffer
}

interface OpenSegment {
  readonly parts: readonly Buffer[]
  readonly at: number
  readonly breaks: number
  /** Seconds of the stream. */
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** What is being cut into segments. */
type Cutting =
  | { readonly state: 'no-stream' }
  | { readonly state: 'awaiting-key-frame' }
  | { readonly state: 'in-segment'; readonly segment: OpenSegment }

/** They only increase, so that a player continues after a pause or a restart. */
interface Numbers {
  /** Of the next segment. */
  readonly next: number
  readonly stream: number
  readonly breaks: number
  /** The next segment does not continue the last one. */
  readonly isBroken: boolean
}

interface Idle extends Numbers {
  readonly state: 'idle'
}
interface Following extends Numbers {
  readonly state: 'following'
  readonly cutting: Cutting
  readonly segments: readonly HlsSegment[]
  /** Init segments by stream. */
  readonly inits: ReadonlyMap<number, Buffer>
  /** Estimated maximum duration of a segment, seconds: players rely on it, so it must not change. 0 before the first. */
  readonly target: number
}

/** `idle`: there are no requests, and nothing is kept. */
export type LiveHlsState = Idle | Following

export type LiveHlsEvent =
  | { readonly kind: 'requested' }
  /** There were no requests for a while, or the segments must no longer be shown. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'stream-began'; readonly init: InitSegment }
  /** `at`: arrival time, Unix milliseconds. */
  | { readonly kind: 'fragment-arrived'; readonly fragment: Fragment; readonly at: number }
  | { readonly kind: 'stream-ended' }

export type LiveHlsEffect =
  | { readonly kind: 'follow-stream' }
  | { readonly kind: 'unfollow-stream' }
  /** Requests that wait for the first segment are answered: one has ended, or all were forgotten. */
  | { readonly kind: 'wake-requests' }

export type LiveHlsStep = Step<LiveHlsState, LiveHlsEffect>

/** @param start first number, of a later time than those of an earlier process */
export const idleFrom = (start: number): LiveHlsState => ({
  state: 'idle',
  next: start,
  stream: start,
  breaks: start,
  isBroken: false,
})

/** The segments of a playlist, oldest first. */
export const listedSegments = (state: LiveHlsState): readonly HlsSegment[] =>
  state.state === 'following' ? state.segments.slice(-count.listed) : []

/**
 * One step of live HLS, which cuts a stream into segments at its key frames.
 *
 * @param min seconds of a segment, up to the next key frame; the first can be shorter
 */
export function step(before: LiveHlsState, event: LiveHlsEvent, min: number): LiveHlsStep {
  if (event.kind === 'requested') return before.state === 'idle' ? follow(before) : unchanged(before)
  if (event.kind === 'forgotten') return forget(before)
  if (before.state === 'idle') return unchanged(before)
  switch (event.kind) {
    case 'stream-began':
      return streamBegan(before, event.init, min)
    case 'fragment-arrived':
      return fragmentArrived(before, event.fragment, event.at, min)
    case 'stream-ended': {
      const { state, effects } = closeSegment(before, undefined, min)
      return { state: { ...state, cutting: { state: 'no-stream' } }, effects }
    }
  }
}

const numbersOf = ({ next, stream, breaks, isBroken }: LiveHlsState): Numbers => ({ next, stream, breaks, isBroken })

const follow = (before: Idle): LiveHlsStep => ({
  state: {
    ...numbersOf(before),
    state: 'following',
    cutting: { state: 'no-stream' },
    segments: [],
    inits: new Map(),
    target: 0,
  },
  effects: [{ kind: 'follow-stream' }],
})

function forget(before: LiveHlsState): LiveHlsStep {
  if (before.state === 'idle') return unchanged(before)
  const isBroken = before.isBroken || before.segments.length > 0
  return {
    state: { ...numbersOf(before), state: 'idle', isBroken },
    effects: [{ kind: 'unfollow-stream' }, { kind: 'wake-requests' }],
  }
}

function streamBegan(before: Following, init: InitSegment, min: number): LiveHlsStep {
  const { state, effects } = closeSegment(before, undefined, min)
  const stream = state.stream + 1
  return {
    state: {
      ...state,
      isBroken: state.isBroken || state.cutting.state !== 'no-stream' || state.segments.length > 0,
      stream,
      inits: new Map(state.inits).set(stream, init.data),
      cutting: { state: 'awaiting-key-frame' },
    },
    effects,
  }
}

function fragmentArrived(before: Following, fragment: Fragment, at: number, min: number): LiveHlsStep {
  if (before.cutting.state === 'no-stream') return unchanged(before)
  const isKey = fragment.video && fragment.key
  const { state, effects } =
    isKey && isDue(before, fragment.time, min)
      ? closeSegment(before, fragment.time, min)
      : unchanged<Following, LiveHlsEffect>(before)
  if (state.cutting.state === 'in-segment') return { state: append(state, state.cutting.segment, fragment), effects }
  if (!isKey) return { state, effects }
  const breaks = state.breaks + (state.isBroken ? 1 : 0)
  const { time } = fragment
  const begun: OpenSegment = { parts: [], at, breaks, from: time, to: time, bytes: 0 }
  return { state: append({ ...state, breaks, isBroken: false }, begun, fragment), effects }
}

/** The first segment ends at the next key frame, so that the first playlist is there soon. */
const isDue = ({ cutting, segments }: Following, time: number, min: number): boolean =>
  cutting.state === 'in-segment' && (segments.length === 0 || time - cutting.segment.from >= min)

/** Adds a fragment to the open segment, and discards the segment if it is too large or too long. */
function append(before: Following, open: OpenSegment, { data, video, time, duration }: Fragment): Following {
  const bytes = open.bytes + data.length
  const to = video ? Math.max(open.to, time + duration) : open.to
  if (bytes > max.segment || to - open.from > longest) {
    return { ...before, isBroken: true, cutting: { state: 'awaiting-key-frame' } }
  }
  const segment: OpenSegment = { ...open, parts: [...open.parts, data], bytes, to }
  return { ...before, cutting: { state: 'in-segment', segment } }
}

/** @param end seconds of the stream; undefined: the end of the last frame received */
function closeSegment(before: Following, end: number | undefined, min: number): Step<Following, LiveHlsEffect> {
  if (before.cutting.state !== 'in-segment') return unchanged(before)
  const { parts, at, breaks, from, to } = before.cutting.segment
  const closed: Following = { ...before, cutting: { state: 'awaiting-key-frame' } }
  const duration = (end ?? to) - from
  if (duration <= 0) return unchanged(closed)
  // The first segment lasts one key frame interval; each other as many intervals as needed.
  const isFirst = before.segments.length === 0
  const expected = isFirst ? Math.round(duration * Math.max(1, Math.ceil(min / duration))) : before.target
  const { stream, next } = before
  const made: HlsSegment = { number: next, stream, breaks, at, duration, data: Buffer.concat(parts) }
  const segments = newest([...before.segments, made])
  const isUsed = (known: number): boolean => known === stream || segments.some((each) => each.stream === known)
  return {
    state: {
      ...closed,
      next: next + 1,
      target: Math.max(1, expected, Math.round(duration)),
      segments,
      inits: new Map([...before.inits].filter(([known]) => isUsed(known))),
    },
    effects: [{ kind: 'wake-requests' }],
  }
}

/** The segments to keep. At least one. */
function newest(segments: readonly HlsSegment[]): readonly HlsSegment[] {
  let held = segments.reduce((sum, { data }) => sum + data.length, 0)
  let first = 0
  while (segments.length - first > count.held || (held > max.held && segments.length - first > 1)) {
    held -= segments[first++]?.data.length ?? 0
  }
  return segments.slice(first)
}
