import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import type { KeyFrameDecoder } from '../media/ffmpeg/key-frame-decoder.ts'
import type { StreamProblem } from '../media/ffmpeg/reason.ts'
import { createGrayFrameDecoder, type GrayFrame } from '../media/ffmpeg/gray-frames.ts'
import type { SourceDeps } from '../media/ffmpeg/source.ts'
import { startStreamFrames } from '../media/ffmpeg/stream-frames.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { parseCameraSource } from '../shared/camera/camera-source.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import {
  motionOff,
  statusOf,
  step,
  wasAnalyzed,
  type CameraMotionEffect,
  type CameraMotionEvent,
  type CameraMotionState,
  type MotionStatus,
} from './camera-motion-state.ts'
import { createDetector, type Detector, type MotionResult } from './detector.ts'
import { gray } from './gray.ts'

/** What is needed here of a camera's settings. */
export type MotionSettings = Pick<CameraConfig, 'enabled' | 'motion'>

export interface CameraMotionDeps extends Runtime {
  readonly camera: string
  /** undefined if ffmpeg is not installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir'>
  readonly onResult: (result: MotionResult) => void
  /** Called when the status has changed. */
  readonly onStatus: () => void
  readonly random: Random
}

export interface CameraMotion extends StreamConsumer {
  readonly status: MotionStatus
  /** Result of the newest frame; undefined while motion detection is off or has no result. */
  readonly newest: MotionResult | undefined
  /** Applies the settings; unchanged parts keep running. undefined: the camera was removed. */
  set(settings: MotionSettings | undefined): void
  /** Whether an entire range, Unix milliseconds, was analyzed, so that no motion means stillness. */
  wasAnalyzed(from: number, to: number): boolean
  /** @returns once no child of a source that was left is running. */
  left(): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** Milliseconds of silence before a stream used only for motion detection is restarted. */
const stallAfter = 20_000

/** Milliseconds between retries: after the first failure, and the maximum. */
const backoff = { first: 2000, max: 60_000 } as const

/** Where the frames come from. */
type FrameSource =
  | { readonly kind: 'key-frames'; readonly decoder: KeyFrameDecoder; stop(): Promise<void> }
  | { readonly kind: 'stream'; stop(): Promise<void> }

const rareKeyFramesHint = 'set the camera to one key frame per second, or set motion.detect_source'

/**
 * Detects motion at one camera: on the key frames of its live stream, or on frames of a separate stream. The
 * decisions are in `camera-motion-state.ts`; this carries them out.
 */
export function createCameraMotion(deps: CameraMotionDeps): CameraMotion {
  const { camera, ffmpeg, clock, random, log } = deps
  let state: CameraMotionState = motionOff
  let detector: Detector | undefined
  let source: FrameSource | undefined
  let init: InitSegment | undefined
  const leaving = new Set<Promise<void>>()
  const left = async (): Promise<void> => void (await Promise.all(leaving))

  const dispatch = (event: CameraMotionEvent): void => {
    const { state: next, effects } = step(state, event)
    state = next
    for (const effect of effects) carryOut(effect)
  }
  const carryOut = (effect: CameraMotionEffect): void => {
    switch (effect.kind) {
      case 'start-source':
        return startSource(effect.source)
      case 'stop-source':
        return stopSource()
      case 'configure-detector':
        return detector?.set(effect.settings)
      case 'rest-detector':
        return detector?.rest()
      case 'forget-scene':
        detector = undefined
        return
      case 'report-result':
        return deps.onResult(effect.result)
      case 'log-paused':
        return log.warn({ camera, reason: effect.problem.message }, 'motion detection paused')
      case 'log-resumed':
        return log.info({ camera }, 'motion detection resumed')
      case 'log-rare-key-frames':
        return log.warn(
          { camera, interval_seconds: Math.round(effect.interval), hint: rareKeyFramesHint },
          'key frames too rare: motion between them is missed',
        )
      case 'publish-status':
        return deps.onStatus()
    }
  }

  const onFrame = (frame: GrayFrame): void => {
    if (!('settings' in state)) return
    detector ??= createDetector(state.settings)
    const interval = source?.kind === 'key-frames' ? source.decoder.interval : undefined
    dispatch({ kind: 'frame-analyzed', result: detector.detect(frame), interval })
  }
  const onTrouble = (problem: StreamProblem | undefined): void =>
    dispatch(problem ? { kind: 'decoding-failed', problem } : { kind: 'decoding-recovered' })

  const startSource = (url: string | null): void => {
    if (ffmpeg === undefined) return
    const frames = { ffmpeg, size: gray, onFrame, onTrouble, clock, random, backoff }
    if (url === null) {
      const decoder = createGrayFrameDecoder(frames)
      source = { kind: 'key-frames', decoder, stop: decoder.stop }
      if (init) decoder.begin(init)
      return
    }
    const from = parseCameraSource(url, deps.source.mediaDir)
    // The configuration was checked by the same function.
    if ('problem' in from) throw new Error(`a camera's detect_source: ${from.problem.message}`)
    const stream = startStreamFrames({ ...frames, stallAfter, camera, from, source: deps.source, log })
    source = { kind: 'stream', stop: stream.stop }
  }
  const stopSource = (): void => {
    if (!source) return
    const stopped = source.stop()
    source = undefined
    leaving.add(stopped)
    void stopped.finally(() => leaving.delete(stopped))
  }

  return {
    get status() {
      return statusOf(state)
    },
    get newest() {
      return state.state === 'active' ? state.last : undefined
    },
    set(settings) {
      if (!settings?.enabled || !settings.motion.enabled) return dispatch({ kind: 'detection-disabled' })
      if (ffmpeg === undefined) return dispatch({ kind: 'decoder-missing' })
      dispatch({ kind: 'detection-enabled', settings: settings.motion })
    },
    wasAnalyzed: (from, to) => wasAnalyzed(state, from, to),
    begin(next) {
      init = next
      if (source?.kind === 'key-frames') source.decoder.begin(next)
    },
    fragment(fragment, now) {
      if (source?.kind === 'key-frames') source.decoder.fragment(fragment, now)
    },
    end() {
      init = undefined
      if (source?.kind !== 'key-frames') return
      source.decoder.end()
      dispatch({ kind: 'stream-ended' })
    },
    left,
    stop() {
      dispatch({ kind: 'stopped' })
      return left()
    },
  }
}
