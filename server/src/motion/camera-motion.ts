import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { InitSegment } from '../media/mp4/fmp4.ts'
import { createKeyFrameDecoder, type KeyFrameDecoder, type PicturesDeps } from '../media/ffmpeg/key-frame-decoder.ts'
import { streamProblem, type StreamProblem } from '../media/ffmpeg/reason.ts'
import type { GreyPicture } from '../media/ffmpeg/small-pictures.ts'
import type { SourceDeps } from '../media/ffmpeg/source.ts'
import { startStreamPictures } from '../media/ffmpeg/stream-pictures.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { parseCameraSource } from '../shared/camera-source.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { createDetector, type Detector, type MotionResult } from './detector.ts'
import { grey } from './gray.ts'

/** What is needed here of a camera's settings. */
export type MotionSettings = Pick<CameraConfig, 'enabled' | 'motion'>

/** `off`: disabled. `waiting`: no frames. `paused`: frames cannot be read. */
export interface MotionStatus {
  readonly state: 'off' | 'waiting' | 'active' | 'paused'
  readonly problem?: StreamProblem
}

export interface CameraMotionDeps {
  readonly camera: string
  /** undefined if ffmpeg is not installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir' | 'demo'>
  readonly onFinding: (finding: MotionResult) => void
  /** Called when the status has changed. */
  readonly onStatus: () => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface CameraMotion extends StreamConsumer {
  readonly status: MotionStatus
  /** Result of the newest frame; undefined while motion detection is off or has no result. */
  readonly newest: MotionResult | undefined
  /** Applies the settings; unchanged parts keep running. undefined: the camera was removed. */
  set(settings: MotionSettings | undefined): void
  /** Whether an entire range, Unix milliseconds, was analyzed, so that no motion means stillness. */
  watched(from: number, to: number): boolean
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** Frames per second of a stream used only for motion detection, and milliseconds of silence before a restart. */
const substream = { rate: 5, stallAfter: 20_000 } as const

/** Milliseconds between retries: after the first failure, and the maximum. */
const backoff = { first: 2000, max: 60_000 } as const

/** Seconds between key frames from which a warning is logged. */
const rare = 4.5

/** Milliseconds between two frames from which the time between them counts as not analyzed. */
const gap = 15_000

/** Detects motion at one camera: on the key frames of its live stream, or on all frames of a separate stream. */
export function createCameraMotion(deps: CameraMotionDeps): CameraMotion {
  const { camera, ffmpeg, clock, random, log } = deps
  let settings: MotionSettings | undefined
  let detector: Detector | undefined
  let keys: KeyFrameDecoder | undefined
  let stream: { readonly address: string; stop(): Promise<void> } | undefined
  let init: InitSegment | undefined
  let problem: StreamProblem | undefined
  let last: MotionResult | undefined
  /** Start of the uninterrupted frames, Unix milliseconds. */
  let since: number | undefined
  let toldRare = false
  let reported: MotionStatus = { state: 'off' }
  const leaving = new Set<Promise<void>>()
  const leave = (gone: Promise<void>): void => {
    leaving.add(gone)
    void gone.finally(() => leaving.delete(gone))
  }

  const onPicture = (picture: GreyPicture): void => {
    if (!settings) return
    detector ??= createDetector(settings.motion)
    const finding = detector.detect(picture)
    if (!finding.sure || (last && Math.abs(picture.at - last.at) > gap)) since = undefined
    if (finding.sure) since ??= picture.at
    last = finding
    deps.onFinding(finding)
    notify()
    const interval = keys?.interval
    if (interval === undefined || interval < rare || toldRare) return
    toldRare = true
    const seconds = Math.round(interval)
    const text =
      'its key frames come rarely, and what moves in between is missed: let it send one a second, or set motion.detect_source'
    log.warn({ camera, seconds }, text)
  }
  const onTrouble = (next: StreamProblem | undefined): void => {
    if (next && next.code !== problem?.code) log.warn({ camera, reason: next.message }, 'motion detection paused')
    if (!next && problem) log.info({ camera }, 'motion detection resumed')
    problem = next
    if (next) silence()
    notify()
  }
  /** No more frames for now: motion has ended. */
  const silence = (): void => {
    since = undefined
    if (!last?.moving) return
    detector?.rest()
    last = { ...last, percent: 0, moving: false, box: null }
    deps.onFinding(last)
  }

  const pictures = (program: string): PicturesDeps => ({
    ffmpeg: program,
    size: grey,
    onPicture,
    onTrouble,
    clock,
    random,
    backoff,
  })
  const lookAtKeys = (program: string): void => {
    if (keys) return
    keys = createKeyFrameDecoder(pictures(program))
    if (init) keys.begin(init)
  }
  const lookAtStream = (program: string, address: string): void => {
    if (stream?.address === address) return
    endStream()
    const from = parseCameraSource(address, deps.source.mediaDir)
    // The configuration was checked by the same function.
    if ('problem' in from) throw new Error(`a camera's detect_source ${from.problem.message}`)
    stream = {
      address,
      ...startStreamPictures({ ...pictures(program), ...substream, camera, from, source: deps.source, log }),
    }
  }
  const endKeys = (): void => {
    if (keys) leave(keys.stop())
    keys = undefined
  }
  const endStream = (): void => {
    if (stream) leave(stream.stop())
    stream = undefined
  }

  const isWanted = (): boolean => settings !== undefined && settings.enabled && settings.motion.enabled

  const status = (): MotionStatus => {
    if (!isWanted()) return { state: 'off' }
    if (ffmpeg === undefined) return { state: 'paused', problem: streamProblem('ffmpeg-missing') }
    if (problem) return { state: 'paused', problem }
    return { state: since === undefined ? 'waiting' : 'active' }
  }
  const notify = (): void => {
    const now = status()
    if (now.state === reported.state && now.problem?.code === reported.problem?.code) return
    reported = now
    deps.onStatus()
  }

  const follow = (next: MotionSettings | undefined): void => {
    const before = settings
    settings = next
    const address = next?.motion.detect_source ?? null
    if (!isWanted() || ffmpeg === undefined || before?.motion.detect_source !== next?.motion.detect_source) {
      endKeys()
      endStream()
      silence()
      detector = undefined
      problem = undefined
      last = undefined
    }
    if (!next || !isWanted() || ffmpeg === undefined) return
    if (JSON.stringify(before?.motion) !== JSON.stringify(next.motion)) detector?.set(next.motion)
    if (address === null) lookAtKeys(ffmpeg)
    else lookAtStream(ffmpeg, address)
  }

  return {
    get status() {
      return status()
    },
    get newest() {
      return status().state === 'active' ? last : undefined
    },
    set(next) {
      follow(next)
      notify()
    },
    watched(from, to) {
      return since !== undefined && last !== undefined && since <= from && to <= last.at + gap
    },
    begin(next) {
      init = next
      keys?.begin(next)
    },
    fragment: (fragment, now) => keys?.fragment(fragment, now),
    end() {
      init = undefined
      if (!keys) return
      keys.end()
      silence()
      notify()
    },
    async stop() {
      endKeys()
      endStream()
      silence()
      settings = undefined
      await Promise.all(leaving)
    },
  }
}
