import type { Route } from '../http/route.ts'
import type { SourceDeps } from '../media/source.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { createBus } from '../shared/bus.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { createCameraMotion, type CameraMotion, type MotionSettings, type MotionStatus } from './camera-motion.ts'
import type { MotionResult } from './detector.ts'
import { motionRoutes } from './motion.routes.ts'

export interface MotionDeps {
  readonly settings: () => ReadonlyMap<string, MotionSettings>
  /** undefined where none is installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir' | 'demo'>
  /** Hears of every picture that was looked at. */
  readonly onMotion: (camera: string, finding: MotionResult) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface MotionDetection {
  /** What takes a camera's live stream along, and looks at it as the configuration says. */
  tapOf(camera: string): StreamConsumer
  statusOf(camera: string): MotionStatus
  readonly routes: readonly Route[]
  /** Tells which camera's status has changed. */
  subscribe(listener: (camera: string) => void): void
  /** Whether a camera was looked at for all of a time, Unix milliseconds, so that silence means stillness. */
  watched(camera: string, from: number, to: number): boolean
  /** Follows the configuration in force. */
  apply(): void
  /** @returns once no child is left. */
  stop(): Promise<void>
}

/** Looks for motion at every camera where it is wanted. */
export function createMotionDetection(deps: MotionDeps): MotionDetection {
  const { settings, onMotion } = deps
  const cameras = new Map<string, CameraMotion>()
  const leaving = new Set<Promise<void>>()
  const bus = createBus<string>(deps.log)

  return {
    tapOf(camera) {
      let motion = cameras.get(camera)
      if (!motion) {
        motion = createCameraMotion({
          ...deps,
          camera,
          onFinding: (finding) => onMotion(camera, finding),
          onStatus: () => bus.publish(camera),
        })
        cameras.set(camera, motion)
        motion.set(settings().get(camera))
      }
      return motion
    },
    statusOf: (camera) => cameras.get(camera)?.status ?? { state: 'off' },
    routes: motionRoutes((camera) => cameras.get(camera)?.newest),
    subscribe: (listener) => void bus.subscribe(listener),
    watched: (camera, from, to) => cameras.get(camera)?.watched(from, to) ?? false,
    apply() {
      for (const [name, motion] of cameras) {
        const setting = settings().get(name)
        motion.set(setting)
        if (setting) continue
        cameras.delete(name)
        const gone = motion.stop()
        leaving.add(gone)
        void gone.finally(() => leaving.delete(gone))
      }
    },
    async stop() {
      await Promise.all([...leaving, ...[...cameras.values()].map((motion) => motion.stop())])
    },
  }
}
