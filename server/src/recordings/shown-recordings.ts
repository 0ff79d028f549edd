import type { ScopedCamera } from '../access/grant.ts'
import type { CameraPlace } from '../http/camera-place.ts'
import type { Caller } from '../http/caller.ts'
import type { RouteResponse } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import type { Audit, RecordedRange } from '../shared/audit/audit.ts'
import type { CameraKey, CameraKeys } from '../shared/camera/camera-keys.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { Objects } from '../shared/storage/objects.ts'
import type { Places } from '../shared/storage/places.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { deleteRoutes } from './delete.routes.ts'
import { someVolumes, totalsOf } from './index/every-volume.sql.ts'
import { filesOfInstance } from './segments/inner-files.ts'
import { byNames } from './named-recordings.ts'
import { filesInObjects, followMoved } from './tier/object-files.ts'
import { createRecordedRanges, type RecordedRanges } from './recorded-ranges.ts'
import type { History } from './index/recording-store.ts'
import { volumesIn } from '../shared/storage/volumes-in.sql.ts'
import type { ShownHistory } from './index/shown-history.ts'
import { recordingRoutes } from './recordings.routes.ts'
import { sendClip, type SentFile } from './send-recording.ts'
import { sharedRecordingRoutes } from './segments.routes.ts'
import type { CameraLimits } from './storage/camera-limits.ts'
import { removeElsewhere } from './storage/remove-elsewhere.sql.ts'
import type { RemoveSegments } from './storage/remove-segments.ts'
import { usageOfEvery, type EveryUsage, type ShownUsage } from './storage/shown-usage.ts'
import { createSegmentRepair } from './segments/repair-segment.ts'
import { segmentBytes } from './segments/segment-bytes.ts'
import { filesAtPlaces, filesOnDisk } from './segments/segment-files.ts'
import { createUnownedRetention, type UnownedRetention } from './storage/unowned-retention.ts'
import type { UnownedVolumes } from './storage/unowned-volumes.ts'
import type { Usage } from './storage/usage.ts'
import type { Volume } from './storage/volume.ts'
import { day, hour } from '../shared/time/durations.ts'

/** What reading recordings of other instances needs. */
export interface OtherInstances {
  readonly inner: InnerClient
}

export interface ShownRecordingsDeps extends Runtime {
  readonly volume: Volume
  readonly places: Places
  readonly objects: Pick<Objects, 'get'>
  /** undefined: this instance is alone and shows the recordings of its own volume, and of those that no instance has. */
  readonly others: OtherInstances | undefined
  readonly unowned: UnownedVolumes
  readonly deletedFiles: DeletedFiles
  readonly store: Store
  readonly history: ShownHistory
  /** Resolves once every segment of a camera that is on disk here is in the index, if disk and database are available. */
  readonly indexed: (camera: string) => Promise<void>
  readonly usage: Usage
  readonly keys: CameraKeys
  readonly limits: CameraLimits
  readonly isClockTrusted: () => boolean
  /** Removes segments of the own volume. */
  readonly removeOwn: RemoveSegments
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  /** Whether video of a camera, by its key, from before a time, Unix milliseconds, isn't in the index yet. */
  readonly isUnindexed: (camera: CameraKey, before: number) => boolean
  readonly audit: Audit
}

/** The recordings that users read and delete: of all instances, or of this one and of volumes that none has. */
export interface ShownRecordings {
  readonly routes: readonly Route[]
  /** The routes of the recorded video that a share link shows. */
  videoRoutes(place: CameraPlace): Route[]
  /**
   * The whole segments that overlap a range, Unix milliseconds; undefined: nothing was recorded.
   *
   * @param since segments that begin earlier are left out
   */
  wholeRange(camera: ScopedCamera, range: RecordedRange, since: number): Promise<RecordedRange | undefined>
  /** Sends all recorded video in the caller's scope as one file. */
  sendClip(file: SentFile, caller: Caller): Promise<RouteResponse>
  readonly recordedRanges: RecordedRanges
  /** How much is recorded of each camera, by key. */
  readonly amounts: {
    readonly store: Pick<History, 'ends'>
    readonly usage: () => Promise<ShownUsage>
    /** Bytes in the object storage of this instance, and, with SQLite, of earlier disks; null: not counted yet. */
    readonly stored: () => Promise<number | null>
  }
  /** Keeps volumes that no instance has within their limits. */
  readonly ofNone: UnownedRetention
}

/**
 * Counts of other volumes. Those of instances are in PostgreSQL, which reads a week of a camera without keeping other
 * requests waiting; a day at a time would mean many more round trips. Those that no instance has change only by what is
 * removed here.
 */
const counts = { ofInstances: { between: 60_000, piece: 7 * day }, ofNone: { between: hour, piece: day } }

export function createShownRecordings(deps: ShownRecordingsDeps): ShownRecordings {
  const { volume, places, others, unowned, store, indexed, usage, keys, removeOwn, isUnindexed, audit } = deps
  const { limits, isClockTrusted, clock, log } = deps
  const { folder, id } = volume
  const { index, history, forget } = deps.history
  const every = usageOfOthers(deps)
  const readUsage = async (): Promise<ShownUsage> => (deps.history.hasOthers() ? every.read() : usage)
  const named = byNames(history, keys)
  const files = filesAtPlaces(places, {
    disk: filesOnDisk(folder, deps.requireDisk),
    object: filesInObjects({ objects: deps.objects, log }),
    ...(others && { instance: filesOfInstance(others.inner, clock) }),
  })
  const repair = createSegmentRepair({ ...volume, store: index, usage, log })
  const bytes = segmentBytes(followMoved(files, index), repair)
  const removeOthers =
    (noted: 'all' | 'on-disk'): RemoveSegments =>
    (segments, gone) =>
      removeElsewhere(
        store,
        deps.deletedFiles,
        noted,
      )(segments, (segment) => {
        every.removed(segment)
        forget(segment)
        gone?.(segment)
      })
  const remove: RemoveSegments = async (segments, gone) => {
    const { own = [], other = [] } = Object.groupBy(segments, (each) => (each.volume === id ? 'own' : 'other'))
    await removeOwn(own, gone)
    await removeOthers('all')(other, gone)
  }
  const readStored = async (): Promise<number | null> => {
    const { counted, bytesIn } = unowned.hasInstances ? usage : await readUsage()
    return counted ? bytesIn('object') : null
  }
  const ofNone = createUnownedRetention({
    limits,
    isClockTrusted,
    clock,
    log,
    store: someVolumes(store, places, unowned.lasting),
    read: unowned.read,
    // Several instances have a limit each, also for what the others have while they're unavailable.
    stored: unowned.hasInstances ? async () => null : readStored,
    remove: removeOthers('on-disk'),
    noted: () => unowned.lasting('deleted_file'),
    deletedFiles: deps.deletedFiles,
  })
  return {
    routes: [
      ...recordingRoutes({ store: named, bytes }),
      ...deleteRoutes({ named, store: history, indexed, keys, remove, audit }),
    ],
    videoRoutes: (place) => sharedRecordingRoutes(place, { store: named, bytes }),
    sendClip: (file, caller) =>
      sendClip({ store: named, bytes }, { after: caller.scope.since, before: caller.scope.until }, file, caller),
    wholeRange: async (camera, range, since) =>
      widened(range, await named.spans(camera, range.start, range.end), since),
    recordedRanges: createRecordedRanges({ bytes, store: history, isUnindexed, now: () => clock.now() }),
    amounts: { store: history, usage: readUsage, stored: readStored },
    ofNone,
  }
}

/** Size of the recordings that users see, with those of other volumes. */
function usageOfOthers(deps: ShownRecordingsDeps): EveryUsage {
  const { volume, store, others, unowned, usage } = deps
  const otherVolumes = async () => (await volumesIn(store.db, 'recording')).filter((each) => each !== volume.id)
  return others
    ? usageOfEvery(usage, async () => totalsOf(store, await otherVolumes()), counts.ofInstances, deps)
    : usageOfEvery(usage, async () => totalsOf(store, unowned.lasting()), counts.ofNone, deps)
}

/** The range with the whole of the segments that overlap it, but for those that begin too early. */
function widened(range: RecordedRange, segments: readonly RecordedRange[], since: number): RecordedRange | undefined {
  const found = segments.filter(({ start }) => start >= since)
  if (found.length === 0) return undefined
  return {
    start: Math.min(range.start, ...found.map(({ start }) => start)),
    end: Math.max(range.end, ...found.map(({ end }) => end)),
  }
}
