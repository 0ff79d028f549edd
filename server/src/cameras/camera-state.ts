import { firstMode, withoutAudio, type ReadMode } from '../media/ffmpeg/analysis.ts'
import { nextAudioMode, type AudioMode } from '../media/ffmpeg/audio.ts'
import type { StreamFacts } from '../media/live/live-output.ts'
import { streamProblem, type StreamProblem } from '../media/ffmpeg/reason.ts'
import { unchanged, type Step } from '../shared/with-web/step.ts'

interface NoVideo {
  readonly resolution: null
  readonly fps: null
  readonly codec: null
}
interface Disabled extends NoVideo {
  readonly state: 'disabled'
  readonly problem?: never
}
/** No response yet since the source was set. */
interface Connecting extends NoVideo {
  readonly state: 'connecting'
  readonly problem?: never
}
/** The connection is retried. */
interface Offline extends NoVideo {
  readonly state: 'offline'
  /** Why the camera is not online, for every user of the camera: never contains part of the URL. */
  readonly problem: StreamProblem
}
interface Online extends StreamFacts {
  readonly state: 'online'
  readonly problem?: never
}

/** What users see of a camera. */
export type CameraStatus = Disabled | Connecting | Offline | Online

interface Retry {
  readonly mode: ReadMode
  /** Consecutive attempts without lasting video. */
  readonly failures: number
}

/** Where the supervisor of one camera is. Each phase but `idle` belongs to one source. */
export type SupervisorState =
  /** No source, or none that is opened here. */
  | { readonly phase: 'idle'; readonly status: Disabled | Connecting }
  /** The source is being opened, or its child has sent no video yet. The status is from before. */
  | { readonly phase: 'connecting'; readonly status: Connecting | Offline | Online; readonly retry: Retry }
  /** `videoSince`: milliseconds of the steady clock. */
  | { readonly phase: 'streaming'; readonly status: Online; readonly retry: Retry; readonly videoSince: number }
  /** The source has to be read in another mode, once the child has exited. */
  | {
      readonly phase: 'changing-mode'
      readonly status: Connecting | Offline | Online
      readonly retry: Retry
      readonly next: ReadMode
      readonly videoSince: number | undefined
    }
  /** The stream failed, and the child has been asked to exit. */
  | {
      readonly phase: 'failed'
      readonly status: Offline
      readonly retry: Retry
      readonly videoSince: number | undefined
    }
  /** Until the next attempt. */
  | { readonly phase: 'waiting'; readonly status: Offline; readonly retry: Retry }

export type CameraEvent =
  | { readonly kind: 'source-set' }
  | { readonly kind: 'source-removed' }
  /** Another instance pulls the camera, or will. */
  | { readonly kind: 'source-elsewhere' }
  /** The source could not be opened: there is no child. */
  | { readonly kind: 'source-refused'; readonly problem: StreamProblem }
  /** A key frame has arrived, or more is known about the stream. */
  | { readonly kind: 'video-arrived'; readonly facts: StreamFacts }
  | { readonly kind: 'audio-refused'; readonly audio: AudioMode }
  /** No mode can use the audio. */
  | { readonly kind: 'audio-unknown' }
  /** A longer analysis of the source could find more of it. */
  | { readonly kind: 'analysis-too-short'; readonly audio: AudioMode }
  /** The child is silent, or its output is unusable. */
  | { readonly kind: 'stream-failed'; readonly problem: StreamProblem }
  /** `problem`: as far as known. */
  | ({ readonly kind: 'child-exited'; readonly problem: StreamProblem | undefined } & ChildOutput)
  | { readonly kind: 'retry-due' }

export interface ChildOutput {
  /** The audio mode it used: that of MPEG-TS is never `copy`. */
  readonly audio: AudioMode
  /** Its output says that another audio mode may work. */
  readonly audioFailed: boolean
  /** Its output says that the audio can't be copied, however long the source is analyzed. */
  readonly audioUncopyable: boolean
  /** Whether a longer analysis could find more: this one was quick, and no other reason is known. */
  readonly couldFindMore: boolean
}

export type CameraEffect =
  /** The state or the reason is another one: log it, and notify viewers if there is no video. */
  | { readonly kind: 'report-status'; readonly status: CameraStatus }
  | { readonly kind: 'publish-status'; readonly status: CameraStatus }
  /** The stream has ended, or another one follows: keep its last frame. */
  | { readonly kind: 'keep-last-frame' }
  | { readonly kind: 'connect'; readonly mode: ReadMode }
  | { readonly kind: 'log-mode'; readonly mode: ReadMode }
  | { readonly kind: 'stop-child' }
  /** Waits longer after each failure, then the event is `retry-due`. */
  | { readonly kind: 'wait-for-retry'; readonly failures: number }

export type CameraStep = Step<SupervisorState, CameraEffect>

const noVideo: NoVideo = { resolution: null, fps: null, codec: null }
const firstTry: Retry = { mode: firstMode, failures: 0 }
const offline = (problem: StreamProblem): Offline => ({ state: 'offline', problem, ...noVideo })

export const idle: SupervisorState = { phase: 'idle', status: { state: 'disabled', ...noVideo } }

/**
 * One step of a camera's supervisor, which keeps one child reading the source and restarts it whenever it exits.
 *
 * @param now milliseconds of the steady clock
 * @param lasting milliseconds of video after which an attempt counts as successful
 */
export function step(before: SupervisorState, event: CameraEvent, now: number, lasting: number): CameraStep {
  const { state, effects } = transition(before, event, now, lasting)
  return { state, effects: [...statusEffects(before.status, state.status), ...effects] }
}

function statusEffects(before: CameraStatus, after: CameraStatus): CameraEffect[] {
  const effects: CameraEffect[] = []
  const isSame = before.state === after.state && before.problem?.message === after.problem?.message
  if (before.state === 'online' && after.state !== 'online') effects.push({ kind: 'keep-last-frame' })
  if (!isSame) effects.push({ kind: 'report-status', status: after })
  if (before !== after) effects.push({ kind: 'publish-status', status: after })
  return effects
}

function transition(before: SupervisorState, event: CameraEvent, now: number, lasting: number): CameraStep {
  switch (event.kind) {
    case 'source-set':
      return connect(firstTry, { state: 'connecting', ...noVideo })
    case 'source-removed':
      return unchanged(idle)
    case 'source-elsewhere':
      return unchanged({ phase: 'idle', status: { state: 'connecting', ...noVideo } })
    case 'source-refused':
      return before.phase === 'connecting' ? retryLater(quickly(before.retry), event.problem, false) : unchanged(before)
    case 'video-arrived':
      return unchanged(withVideo(before, event.facts, now))
    case 'audio-refused':
      return changeMode(before, ({ mode }) => ({ ...mode, audio: nextAudioMode(event.audio) }))
    case 'audio-unknown':
      return changeMode(before, () => withoutAudio)
    case 'analysis-too-short':
      return changeMode(before, () => ({ audio: event.audio, analysis: 'thorough' }))
    case 'stream-failed':
      return streamFailed(before, event.problem)
    case 'child-exited':
      return childExited(before, event, now, lasting)
    case 'retry-due':
      return before.phase === 'waiting' ? connect(before.retry, before.status) : unchanged(before)
  }
}

const connect = (retry: Retry, status: Connecting | Offline | Online): CameraStep => ({
  state: { phase: 'connecting', status, retry },
  effects: [{ kind: 'connect', mode: retry.mode }],
})

function withVideo(before: SupervisorState, facts: StreamFacts, now: number): SupervisorState {
  if (before.phase !== 'connecting' && before.phase !== 'streaming') return before
  const videoSince = before.phase === 'streaming' ? before.videoSince : now
  return { phase: 'streaming', status: { state: 'online', ...facts }, retry: before.retry, videoSince }
}

const videoSinceOf = (state: SupervisorState): number | undefined =>
  'videoSince' in state ? state.videoSince : undefined

function changeMode(before: SupervisorState, nextOf: (retry: Retry) => ReadMode): CameraStep {
  if (before.phase !== 'connecting' && before.phase !== 'streaming') return unchanged(before)
  const { status, retry } = before
  return {
    state: { phase: 'changing-mode', status, retry, next: nextOf(retry), videoSince: videoSinceOf(before) },
    effects: [{ kind: 'stop-child' }],
  }
}

/** A thorough analysis delays each connection: it is only kept if it shows video. */
const quickly = (retry: Retry): Retry => ({ ...retry, mode: { ...retry.mode, analysis: 'quick' } })

/** A child without video can also be silent because it found too little of the source. */
const inOtherAnalysis = (retry: Retry): Retry =>
  retry.mode.analysis === 'quick' ? { ...retry, mode: { ...retry.mode, analysis: 'thorough' } } : quickly(retry)

/** The status changes immediately, however long the child takes to exit. */
function streamFailed(before: SupervisorState, problem: StreamProblem): CameraStep {
  if (before.phase === 'idle' || before.phase === 'waiting' || before.phase === 'failed') return unchanged(before)
  const videoSince = videoSinceOf(before)
  const retry = videoSince === undefined ? inOtherAnalysis(before.retry) : before.retry
  return {
    state: { phase: 'failed', status: offline(problem), retry, videoSince },
    effects: [{ kind: 'stop-child' }],
  }
}

function childExited(
  before: SupervisorState,
  exit: Extract<CameraEvent, { kind: 'child-exited' }>,
  now: number,
  lasting: number,
): CameraStep {
  if (before.phase === 'idle' || before.phase === 'waiting') return unchanged(before)
  const { retry } = before
  const videoSince = videoSinceOf(before)
  const hadVideo = videoSince !== undefined && now - videoSince > lasting
  if (before.phase === 'failed') return retryLater(retry, before.status.problem, hadVideo)
  const mode = before.phase === 'changing-mode' ? before.next : modeAfter(retry.mode, exit, videoSince !== undefined)
  if (mode) {
    const { state, effects } = connect({ ...retry, mode }, before.status)
    // The camera stays online, but the next stream has no frame at first.
    const kept: CameraEffect[] = before.status.state === 'online' ? [{ kind: 'keep-last-frame' }] : []
    return { state, effects: [{ kind: 'log-mode', mode }, ...kept, ...effects] }
  }
  return videoSince === undefined
    ? retryLater(quickly(retry), exit.problem ?? streamProblem('unreadable-source'), false)
    : retryLater(retry, exit.problem ?? streamProblem('stream-ended'), hadVideo)
}

/** The mode that may work after the child failed in this one; undefined: the failure has another reason. */
function modeAfter({ analysis }: ReadMode, exit: ChildOutput, isVideoFound: boolean): ReadMode | undefined {
  const { audio, audioFailed, audioUncopyable, couldFindMore } = exit
  if (audio === 'copy' && audioUncopyable) return { audio: 'aac', analysis }
  // Whatever ffmpeg's output says: its messages differ between versions.
  if (couldFindMore && !isVideoFound) return { audio, analysis: 'thorough' }
  return audioFailed && audio !== 'none' ? { audio: nextAudioMode(audio), analysis } : undefined
}

function retryLater({ mode, failures }: Retry, problem: StreamProblem, hadVideo: boolean): CameraStep {
  const retry: Retry = {
    // A camera that reconnects may have audio that it did not have before.
    mode: hadVideo && mode.audio === 'none' ? firstMode : mode,
    failures: hadVideo ? 1 : failures + 1,
  }
  return {
    state: { phase: 'waiting', status: offline(problem), retry },
    effects: [{ kind: 'wait-for-retry', failures: retry.failures }],
  }
}
