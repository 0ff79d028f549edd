import { join } from 'node:path'
import type { CameraScope, ScopedCamera } from '../access/grant.ts'
import type { Owner } from '../access/identity.ts'
import type { Route } from '../http/route.ts'
import { createJpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { CameraKey, CameraKeys } from '../shared/camera/camera-keys.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Places } from '../shared/storage/places.ts'
import { rememberDisk } from '../shared/storage/mounted-disk.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { Random } from '../shared/random.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { createItemRemoval } from './item-removal.ts'
import { itemRetention } from './item-retention.ts'
import { sharedThumbnails, thumbnailInnerRoute } from './inner-thumbnails.ts'
import { changeOf, createItemWriter, type ReviewChange, type StoredChange } from './item-writer.ts'
import type { OnMotion } from '../shared/camera/motion-sample.ts'
import { itemsByNames } from './named-items.ts'
import type { ReviewSettings } from './review.config.ts'
import { reviewRoutes } from './review.routes.ts'
import type { SeenChange } from './item.routes.ts'
import { reviewStore } from './review-store.sql.ts'
import { createThumbnails } from './thumbnails.ts'
import { createItemTracker, type ItemTracker } from './item-tracker.ts'
import { removeUnownedItems, type UnownedItemsDeps } from './unowned-items.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface ReviewDeps extends Runtime {
  readonly mediaDir: string
  /** Id of the volume in the media directory. Items of other volumes in the same database are not touched. */
  readonly volume: string
  readonly places: Places
  /** undefined: this instance is alone and shows the items of its own volume, and of those that no instance has. */
  readonly others: { readonly inner: InnerClient } | undefined
  readonly unowned: { readonly lasting: UnownedItemsDeps['volumes'] }
  readonly shownIn: (table: 'review_item') => ShownVolumes
  readonly deletedFiles: DeletedFiles
  /** The store identifies cameras by key; callers and events use names. */
  readonly keys: CameraKeys
  readonly store: Store
  readonly settings: () => ReviewSettings
  /** Whether this instance pulls a camera now. */
  readonly isHere: (camera: string) => boolean
  /** Epoch of the lease of a camera, by key; undefined: cameras have no leases. */
  readonly epochOf: ((camera: CameraKey) => number | undefined) | undefined
  /** Names of the existing cameras within a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly ScopedCamera[]
  readonly publish: (change: ReviewChange) => void
  /** Called with the items that a user marked; only that user is notified. */
  readonly onMarked: (owner: Owner, marked: SeenChange) => void
  /** undefined if ffmpeg isn't installed: then there are no thumbnails. */
  readonly ffmpeg: string | undefined
  /** Whether the clock can be trusted enough to remove items by age. */
  readonly isClockTrusted: () => boolean
  readonly random: Random
}

export interface Review {
  readonly routes: readonly Route[]
  /** What other instances read here. */
  readonly innerRoutes: readonly InnerRoute[]
  /** Consumes a camera's live stream, for thumbnails. */
  consumerOf(camera: string): StreamConsumer
  readonly onMotion: OnMotion
  /** Applies the active configuration. */
  apply(): void
  /** Closes the open item of a camera that this instance no longer pulls. */
  moved(camera: string): void
  /** Resolves once everything about a camera is saved, or the database fails. */
  settled(camera: string): Promise<void>
  /** Closes open items. Resolves once everything is saved. */
  stop(): Promise<void>
}

/** Milliseconds between two checks of open items. */
const interval = 2000

/** Turns the motion of all cameras into review items, stores them and serves them. */
export async function createReview(deps: ReviewDeps): Promise<Review> {
  const { mediaDir, keys, settings, others, places, deletedFiles, isClockTrusted, clock, random, log } = deps
  const storeOf = (volume: string) =>
    reviewStore(deps.store, volume, { shown: deps.shownIn('review_item'), deletedFiles })
  const store = storeOf(deps.volume)
  const left = await store.closeOpen()
  if (left > 0) log.info({ count: left }, 'review items of an earlier run closed')

  const jpegEncoder = createJpegEncoder({ ffmpeg: deps.ffmpeg ?? '' })
  const disk = await rememberDisk(join(mediaDir, 'review'), random)
  const thumbnails = createThumbnails({ ...disk, jpegEncoder, clock, log })
  const publish = (change: StoredChange): void => deps.publish({ ...change, camera: keys.nameOf(change.camera) })
  const itemWriter = createItemWriter({ store, publish, log })
  const trackers = new Map<CameraKey, ItemTracker>()
  let stopped = false

  const trackerOf = (name: string): ItemTracker => {
    const camera = keys.keyOf(name)
    let tracker = trackers.get(camera)
    if (!tracker) {
      const epoch = () => deps.epochOf?.(camera)
      tracker = createItemTracker({ camera, epoch, itemWriter, thumbnails, clock, random })
      trackers.set(camera, tracker)
    }
    return tracker
  }
  const isEnabled = (camera: string): boolean => {
    const setting = settings().cameras.get(camera)
    return setting !== undefined && setting.enabled && setting.motion.enabled && deps.isHere(camera)
  }
  const retention = itemRetention(settings, keys)

  const shared = sharedThumbnails({ thumbnails, store, places, inner: others?.inner, clock })
  const background = { deletedFiles, retention, isClockTrusted, clock, log }
  const removal = createItemRemoval({ ...background, volume: deps.volume, store, thumbnails, itemWriter })
  const stopUnowned = removeUnownedItems({ ...background, volumes: deps.unowned.lasting, itemsOf: storeOf })

  const stopChecks = clock.every(interval, () => {
    for (const tracker of trackers.values()) tracker.check()
    itemWriter.retry()
  })

  return {
    routes: reviewRoutes({
      store: itemsByNames(store, keys),
      thumbnails: shared,
      cameraNames: deps.cameraNames,
      async remove(item, entry) {
        await removal.remove([item], entry)
        deps.publish(changeOf(item, 'deleted'))
      },
      onMarked: deps.onMarked,
      clock,
    }),
    innerRoutes: [thumbnailInnerRoute(thumbnails, reviewStore(deps.store, deps.volume))],
    consumerOf: (camera) => trackerOf(camera).consumer,
    onMotion(camera, motion) {
      if (isEnabled(camera) && !stopped) trackerOf(camera).observe(motion)
    },
    apply() {
      for (const [key, tracker] of trackers) if (!isEnabled(keys.nameOf(key))) tracker.close()
    },
    moved(name) {
      if (!isEnabled(name)) trackers.get(keys.keyOf(name))?.close()
    },
    async settled(name) {
      await trackers.get(keys.keyOf(name))?.settled()
      await itemWriter.settled()
    },
    async stop() {
      stopped = true
      const removed = Promise.all([removal.stop(), stopUnowned()])
      stopChecks()
      for (const tracker of trackers.values()) tracker.close()
      await removed
      await Promise.all([...trackers.values()].map((tracker) => tracker.settled()))
      await itemWriter.settled()
    },
  }
}
