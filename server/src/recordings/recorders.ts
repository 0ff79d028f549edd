import type { StreamConsumer } from '../media/stream-consumer.ts'
import { createBus } from '../shared/bus.ts'
import type { CameraKey, CameraKeys } from '../shared/camera/camera-keys.ts'
import type { MotionSample } from '../shared/camera/motion-sample.ts'
import type { Runtime } from '../shared/runtime.ts'
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.ts'
import type { RecorderStatus } from './recorder-state.ts'
import type { CameraLimits } from './storage/camera-limits.ts'
import type { Usage } from './storage/usage.ts'

export interface RecordersDeps
  extends Runtime, Pick<RecorderDeps, 'folder' | 'writer' | 'store' | 'batch' | 'own' | 'late' | 'requireDisk'> {
  readonly usage: Pick<Usage, 'added' | 'removed'>
  readonly limits: Pick<CameraLimits, 'isEnabled' | 'isMotionOnly'>
  readonly keys: CameraKeys
  /** Whether motion detection analyzed a camera during a whole time range, Unix milliseconds. */
  readonly wasAnalyzed: (camera: string, from: number, to: number) => boolean
  /** Epoch of the lease of a camera, by key; undefined: cameras have no leases. */
  readonly epochOf: ((camera: CameraKey) => number | undefined) | undefined
  /** Called after a segment was added. */
  readonly onAdded: () => void
  /** Called when a recording pauses because the disk is full, and after each failed retry. */
  readonly onDiskFull: () => void
}

/** The recorders of all cameras. Callers pass camera names, unless a parameter is a key. */
export interface Recorders {
  /** Consumes a camera's live stream. */
  consumerOf(camera: string): StreamConsumer
  statusOf(camera: string): RecorderStatus
  /** Calls the listener with the camera whose status changed. */
  subscribe(listener: (camera: string) => void): void
  /** Notes motion in the segment of its time. */
  onMotion(camera: string, motion: Omit<MotionSample, 'box'>): void
  /** Whether video of a camera, by its key, from before a time, Unix milliseconds, isn't in the index yet. */
  isUnindexed(key: CameraKey, before: number): boolean
  /** Resolves once a camera's segments that ended are on disk and in the index; after a few seconds if the disk hangs. */
  settled(camera: string): Promise<void>
  /** Applies the active configuration. */
  apply(): void
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** Milliseconds between attempts to index what couldn't be indexed. */
const retryAfter = 10_000

/** Milliseconds that a caller waits for segments to be on disk and in the index. */
const longestWait = 3_000

export function createRecorders(deps: RecordersDeps): Recorders {
  const { store, usage, limits, keys, wasAnalyzed, clock, log } = deps
  const { folder, writer, batch, own, late, requireDisk } = deps
  /** By camera key. */
  const recorders = new Map<CameraKey, Recorder>()
  const statusChanges = createBus<string>(log)
  const stopRetrying = clock.every(retryAfter, () => recorders.forEach((recorder) => void recorder.settled()))

  const create = (camera: CameraKey): Recorder =>
    createRecorder({
      camera,
      folder,
      writer,
      store,
      batch,
      own,
      late,
      requireDisk,
      canThin: (from, to) => limits.isMotionOnly(camera) && wasAnalyzed(keys.nameOf(camera), from, to),
      epoch: () => deps.epochOf?.(camera),
      onAdded(segment) {
        usage.added(segment)
        deps.onAdded()
      },
      onRemoved: (segment) => usage.removed({ ...segment, object: null }),
      onStatus: () => statusChanges.publish(keys.nameOf(camera)),
      onDiskError: (kind) => kind === 'full' && deps.onDiskFull(),
      clock,
      log,
    })

  return {
    consumerOf(name) {
      const camera = keys.keyOf(name)
      const known = recorders.get(camera)
      if (known) return known
      const recorder = create(camera)
      recorder.want(limits.isEnabled(camera))
      recorders.set(camera, recorder)
      return recorder
    },
    statusOf: (name) => recorders.get(keys.keyOf(name))?.status ?? { state: 'off' },
    subscribe: (listener) => void statusChanges.subscribe(listener),
    onMotion(name, { at, moving, percent: exact }) {
      // `moving` outlasts the motion of single frames: those in between, in which nothing moves, don't count.
      if (!moving || exact === 0) return
      const camera = keys.keyOf(name)
      const percent = Math.ceil(exact)
      if (recorders.get(camera)?.moved(at, percent)) return
      // Motion of a segment that ended.
      store
        .raiseMotion(camera, at, at + 1, percent)
        .catch((err: unknown) => log.warn({ camera: name, err }, 'failed to save motion'))
    },
    isUnindexed: (camera, before) => recorders.get(camera)?.isUnindexed(before) ?? false,
    async settled(name) {
      const waited = new AbortController()
      await Promise.race([recorders.get(keys.keyOf(name))?.settled(), clock.sleep(longestWait, waited.signal)]).finally(
        () => waited.abort(),
      )
    },
    apply: () => recorders.forEach((recorder, camera) => recorder.want(limits.isEnabled(camera))),
    async stop() {
      stopRetrying()
      await Promise.all([...recorders.values()].map((recorder) => recorder.stop()))
    },
  }
}
