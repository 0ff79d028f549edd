import type { CameraConfig } from '../cameras/cameras.config.ts'
import { streamProblem, type StreamProblem } from '../media/ffmpeg/reason.ts'
import { andThen, unchanged, type Step } from '../shared/with-web/step.ts'
import type { DetectorSettings, MotionResult } from './detector.ts'

/** `off`: disabled. `waiting`: no frames. `paused`: frames cannot be read. */
export interface MotionStatus {
  readonly state: 'off' | 'waiting' | 'active' | 'paused'
  readonly problem?: StreamProblem
}

/** `detect_source`: a stream used only for motion detection; null: the key frames of the live stream. */
export type AnalysisSettings = Pick<CameraConfig['motion'], 'sensitivity' | 'masks' | 'detect_source'>

/** Kept in every state. */
interface Reports {
  /** Whether rare key frames were logged. */
  readonly isRareLogged: boolean
  readonly reported: MotionStatus
}

interface Off extends Reports {
  readonly state: 'off'
}
interface WithoutDecoder extends Reports {
  readonly state: 'without-decoder'
}
interface Enabled extends Reports {
  readonly settings: AnalysisSettings
}
interface WaitingForFrames extends Enabled {
  readonly state: 'waiting'
  readonly last: MotionResult | undefined
}
interface Active extends Enabled {
  readonly state: 'active'
  readonly last: MotionResult
  /** Start of the uninterrupted frames, Unix milliseconds. */
  readonly since: number
}
interface Paused extends Enabled {
  readonly state: 'paused'
  readonly last: MotionResult | undefined
  readonly problem: StreamProblem
}

/** `waiting`: for frames, or for the detector to learn the scene. `without-decoder`: ffmpeg is not installed. */
export type CameraMotionState = Off | WithoutDecoder | WaitingForFrames | Active | Paused

export type CameraMotionEvent =
  | { readonly kind: 'detection-enabled'; readonly settings: AnalysisSettings }
  | { readonly kind: 'detection-disabled' }
  | { readonly kind: 'decoder-missing' }
  /** `interval`: seconds between the last key frames, as far as known and if key frames are analyzed. */
  | { readonly kind: 'frame-analyzed'; readonly result: MotionResult; readonly interval: number | undefined }
  | { readonly kind: 'decoding-failed'; readonly problem: StreamProblem }
  | { readonly kind: 'decoding-recovered' }
  /** The stream whose frames are analyzed has ended. */
  | { readonly kind: 'stream-ended' }
  | { readonly kind: 'stopped' }

export type CameraMotionEffect =
  /** A stream's URL; null: the key frames of the live stream. */
  | { readonly kind: 'start-source'; readonly source: string | null }
  | { readonly kind: 'stop-source' }
  | { readonly kind: 'configure-detector'; readonly settings: DetectorSettings }
  /** No more frames for now: motion has ended. */
  | { readonly kind: 'rest-detector' }
  | { readonly kind: 'forget-scene' }
  | { readonly kind: 'report-result'; readonly result: MotionResult }
  | { readonly kind: 'log-paused'; readonly problem: StreamProblem }
  | { readonly kind: 'log-resumed' }
  /** Seconds between key frames. */
  | { readonly kind: 'log-rare-key-frames'; readonly interval: number }
  | { readonly kind: 'publish-status' }

export type CameraMotionStep = Step<CameraMotionState, CameraMotionEffect>

/** Seconds between key frames from which a warning is logged. */
const rare = 4.5

/** Milliseconds between two frames from which the time between them counts as not analyzed. */
const gap = 15_000

export const motionOff: CameraMotionState = { state: 'off', isRareLogged: false, reported: { state: 'off' } }

export function statusOf(state: CameraMotionState): MotionStatus {
  switch (state.state) {
    case 'without-decoder':
      return { state: 'paused', problem: streamProblem('ffmpeg-missing') }
    case 'paused':
      return { state: 'paused', problem: state.problem }
    default:
      return { state: state.state }
  }
}

/** Whether an entire range, Unix milliseconds, was analyzed. */
export const wasAnalyzed = (state: CameraMotionState, from: number, to: number): boolean =>
  state.state === 'active' && state.since <= from && to <= state.last.at + gap

/** One step of a camera's motion detection. */
export function step(before: CameraMotionState, event: CameraMotionEvent): CameraMotionStep {
  const after = transition(before, event)
  return event.kind === 'stopped' ? after : andThen(after, publishStatus)
}

function publishStatus(state: CameraMotionState): CameraMotionStep {
  const status = statusOf(state)
  const { reported } = state
  if (status.state === reported.state && status.problem?.code === reported.problem?.code) return unchanged(state)
  return { state: { ...state, reported: status }, effects: [{ kind: 'publish-status' }] }
}

function transition(before: CameraMotionState, event: CameraMotionEvent): CameraMotionStep {
  switch (event.kind) {
    case 'detection-enabled':
      return enable(before, event.settings)
    case 'detection-disabled':
    case 'stopped':
      return { state: { ...reportsOf(before), state: 'off' }, effects: endEffects(before) }
    case 'decoder-missing':
      return { state: { ...reportsOf(before), state: 'without-decoder' }, effects: endEffects(before) }
    case 'frame-analyzed':
      return isEnabled(before) ? frameAnalyzed(before, event.result, event.interval) : unchanged(before)
    case 'decoding-failed':
      return isEnabled(before) ? decodingFailed(before, event.problem) : unchanged(before)
    case 'decoding-recovered':
      if (before.state !== 'paused') return unchanged(before)
      return { state: waiting(before, before.last), effects: [{ kind: 'log-resumed' }] }
    case 'stream-ended': {
      if (!isEnabled(before)) return unchanged(before)
      const { last, effects } = rest(before.last)
      return { state: before.state === 'paused' ? { ...before, last } : waiting(before, last), effects }
    }
  }
}

type EnabledState = WaitingForFrames | Active | Paused

const isEnabled = (state: CameraMotionState): state is EnabledState =>
  state.state !== 'off' && state.state !== 'without-decoder'

const reportsOf = ({ isRareLogged, reported }: Reports): Reports => ({ isRareLogged, reported })

const waiting = (from: Enabled, last: MotionResult | undefined): WaitingForFrames => ({
  ...reportsOf(from),
  settings: from.settings,
  state: 'waiting',
  last,
})

/** The last result once no more frames arrive. */
function rest(last: MotionResult | undefined): {
  readonly last: MotionResult | undefined
  readonly effects: readonly CameraMotionEffect[]
} {
  if (!last?.moving) return { last, effects: [] }
  const result: MotionResult = { ...last, percent: 0, moving: false, box: null }
  return { last: result, effects: [{ kind: 'rest-detector' }, { kind: 'report-result', result }] }
}

function endEffects(before: CameraMotionState): readonly CameraMotionEffect[] {
  if (!isEnabled(before)) return []
  return [{ kind: 'stop-source' }, ...rest(before.last).effects, { kind: 'forget-scene' }]
}

/** Unchanged parts keep running. */
function enable(before: CameraMotionState, settings: AnalysisSettings): CameraMotionStep {
  if (isEnabled(before) && before.settings.detect_source === settings.detect_source) {
    const isSame = JSON.stringify(before.settings) === JSON.stringify(settings)
    return {
      state: { ...before, settings },
      effects: isSame ? [] : [{ kind: 'configure-detector', settings }],
    }
  }
  return {
    state: waiting({ ...reportsOf(before), settings }, undefined),
    effects: [...endEffects(before), { kind: 'start-source', source: settings.detect_source }],
  }
}

function frameAnalyzed(before: EnabledState, result: MotionResult, interval: number | undefined): CameraMotionStep {
  const isRare = interval !== undefined && interval >= rare && !before.isRareLogged
  const current = withResult(before, result)
  const report: CameraMotionEffect = { kind: 'report-result', result }
  if (!isRare) return { state: current, effects: [report] }
  return { state: { ...current, isRareLogged: true }, effects: [report, { kind: 'log-rare-key-frames', interval }] }
}

function withResult(before: EnabledState, result: MotionResult): EnabledState {
  if (before.state === 'paused') return { ...before, last: result }
  if (!result.sure) return waiting(before, result)
  const isContinued = before.state === 'active' && Math.abs(result.at - before.last.at) <= gap
  const since = isContinued ? before.since : result.at
  return { ...reportsOf(before), settings: before.settings, state: 'active', last: result, since }
}

function decodingFailed(before: EnabledState, problem: StreamProblem): CameraMotionStep {
  const isKnown = before.state === 'paused' && before.problem.code === problem.code
  const { last, effects } = rest(before.last)
  return {
    state: { ...reportsOf(before), settings: before.settings, state: 'paused', last, problem },
    effects: isKnown ? effects : [{ kind: 'log-paused', problem }, ...effects],
  }
}
