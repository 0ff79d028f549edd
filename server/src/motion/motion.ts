import type { Route } from '../http/route.ts'
import type { SourceDeps } from '../media/ffmpeg/source.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { createBus } from '../shared/bus.ts'
import type { Random } from '../shared/random.ts'
import { createCameraMotion, type CameraMotion, type MotionSettings } from './camera-motion.ts'
import type { MotionStatus } from './camera-motion-state.ts'
import type { MotionResult } from './detector.ts'
import { motionRoutes } from './motion.routes.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface MotionDeps extends Runtime {
  readonly settings: () => ReadonlyMap<string, MotionSettings>
  /** Whether this instance analyzes a camera now. */
  readonly isHere: (camera: string) => boolean
  /** undefined if ffmpeg is not installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir'>
  readonly random: Random
}

export interface MotionDetection {
  /** Consumer that analyzes a camera's live stream as configured. */
  consumerOf(camera: string): StreamConsumer
  statusOf(camera: string): MotionStatus
  readonly routes: readonly Route[]
  /** Calls the listener with the result of every analyzed frame. */
  onResult(listener: (camera: string, result: MotionResult) => void): void
  /** Reports the camera whose status has changed. */
  subscribe(listener: (camera: string) => void): void
  /** Whether a camera was analyzed for an entire range, Unix milliseconds, so that no motion means stillness. */
  wasAnalyzed(camera: string, from: number, to: number): boolean
  /** Applies the active configuration. */
  apply(): void
  /**
   * Begins or ends the analysis of a camera that may have moved to or from this instance.
   *
   * @returns once no child of the old place is running: one that reads `detect_source` is connected to the camera
   */
  moved(camera: string): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** Detects motion at every camera where it is enabled. */
export function createMotionDetection(deps: MotionDeps): MotionDetection {
  const { settings, isHere, ffmpeg, source, clock, random, log } = deps
  const cameras = new Map<string, CameraMotion>()
  const leaving = new Set<Promise<void>>()
  const results = createBus<{ readonly camera: string; readonly result: MotionResult }>(log)
  const statusChanges = createBus<string>(log)
  const set = (camera: string): void => cameras.get(camera)?.set(isHere(camera) ? settings().get(camera) : undefined)

  return {
    consumerOf(camera) {
      let motion = cameras.get(camera)
      if (!motion) {
        motion = createCameraMotion({
          camera,
          ffmpeg,
          source,
          onResult: (result) => results.publish({ camera, result }),
          onStatus: () => statusChanges.publish(camera),
          clock,
          random,
          log,
        })
        cameras.set(camera, motion)
        set(camera)
      }
      return motion
    },
    statusOf: (camera) => cameras.get(camera)?.status ?? { state: 'off' },
    routes: motionRoutes((camera) => cameras.get(camera)?.newest),
    onResult: (listener) => void results.subscribe(({ camera, result }) => listener(camera, result)),
    subscribe: (listener) => void statusChanges.subscribe(listener),
    wasAnalyzed: (camera, from, to) => cameras.get(camera)?.wasAnalyzed(from, to) ?? false,
    apply() {
      for (const [name, motion] of cameras) {
        set(name)
        if (settings().has(name)) continue
        cameras.delete(name)
        const gone = motion.stop()
        leaving.add(gone)
        void gone.finally(() => leaving.delete(gone))
      }
    },
    async moved(camera) {
      set(camera)
      await cameras.get(camera)?.left()
    },
    async stop() {
      await Promise.all([...leaving, ...[...cameras.values()].map((motion) => motion.stop())])
    },
  }
}
