import pLimit from 'p-limit'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Random } from '../shared/random.ts'
import { endOf, mergeMotion, joining, type OpenItem } from './merge-motion.ts'
import type { ItemWriter } from './item-writer.ts'
import { createKeyFrames } from './key-frames.ts'
import type { MotionSample } from '../shared/camera/motion-sample.ts'
import type { ReviewItem } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Turns the motion of one camera into review items. */
export interface ItemTracker {
  readonly consumer: StreamConsumer
  observe(motion: MotionSample): void
  /** Closes the open item, because motion detection stopped. */
  close(): void
  /** Closes the open item if no motion sample arrived for a while. */
  check(): void
  /** Resolves once no thumbnail is being made. */
  settled(): Promise<void>
}

export interface ItemTrackerDeps {
  readonly camera: CameraKey
  /** Epoch of the camera's lease; undefined: there is none. */
  readonly epoch: () => number | undefined
  readonly itemWriter: Pick<ItemWriter, 'save' | 'isForgotten'>
  readonly thumbnails: Pick<Thumbnails, 'make' | 'remove'>
  readonly clock: Clock
  readonly random: Random
}

/** Milliseconds between two saves of an open item: a crash can lose this much of it. */
const saveEvery = 5000

/** An open item gets a better thumbnail after at least `every` milliseconds, and if `times` as much moves. */
const better = { every: 10_000, times: 1.3 }

interface Open {
  readonly id: string
  readonly epoch: number | undefined
  happening: OpenItem
  savedAt: number
  thumbnailAt: number | null
  /** The frame of the last thumbnail attempt. */
  tried: { readonly frame: Frame; readonly percent: number; readonly since: number } | undefined
}

export function createItemTracker({
  camera,
  itemWriter,
  thumbnails,
  clock,
  random,
  ...deps
}: ItemTrackerDeps): ItemTracker {
  const keyFrames = createKeyFrames()
  let open: Open | undefined
  let endedAt: number | undefined
  /** {@link Clock.elapsed}. */
  let lastReportAt = 0
  const limit = pLimit(1)

  const itemOf = ({ id, epoch, happening, thumbnailAt }: Open, isOpen: boolean): ReviewItem => ({
    id,
    camera,
    severity: happening.severity,
    start: happening.start,
    end: endOf(happening),
    open: isOpen,
    motion: happening.peak.percent,
    box: happening.peak.box,
    thumbnailAt,
    ...(epoch !== undefined && { epoch }),
  })

  /** Makes a thumbnail of the peak so far, if there is a better frame than before. */
  const makeThumbnail = (of: Open): void => {
    const { peak, movedFrom, movedAt } = of.happening
    const frame = keyFrames.of(peak.at, movedFrom, movedAt)
    if (!frame || frame === of.tried?.frame) return
    of.tried = { frame, percent: peak.percent, since: clock.elapsed() }
    void limit(make, of, frame)
  }

  const make = async (of: Open, frame: Frame): Promise<void> => {
    const place = { id: of.id, start: of.happening.start }
    if (itemWriter.isForgotten(of.id) || !(await thumbnails.make(place, frame))) return
    // If that fails, it goes with its day.
    if (itemWriter.isForgotten(of.id)) await thumbnails.remove([place]).catch(() => undefined)
    of.thumbnailAt = frame.at
    itemWriter.save(itemOf(of, of === open), 'updated')
  }

  const needsThumbnail = ({ tried, happening: { peak } }: Open): boolean =>
    tried === undefined ||
    (clock.elapsed() - tried.since >= better.every && peak.percent >= tried.percent * better.times)

  const close = (): void => {
    if (!open) return
    const over = open
    open = undefined
    endedAt = endOf(over.happening)
    itemWriter.save(itemOf(over, false), 'ended')
    makeThumbnail(over)
    keyFrames.hold(undefined)
  }

  const begin = (happening: OpenItem): void => {
    const id = idOf(happening, random)
    open = { id, epoch: deps.epoch(), happening, savedAt: clock.elapsed(), thumbnailAt: null, tried: undefined }
    keyFrames.hold(happening.peak.at)
    itemWriter.save(itemOf(open, true), 'created')
    makeThumbnail(open)
  }

  const update = (going: Open, happening: OpenItem): void => {
    const raised = going.happening.severity !== happening.severity
    going.happening = happening
    keyFrames.hold(happening.peak.at)
    if (raised || clock.elapsed() - going.savedAt >= saveEvery) {
      going.savedAt = clock.elapsed()
      itemWriter.save(itemOf(going, true), raised ? 'updated' : undefined)
    }
    if (needsThumbnail(going)) makeThumbnail(going)
  }

  return {
    consumer: {
      begin: (init) => keyFrames.begin(init),
      fragment: (fragment, now) => keyFrames.fragment(fragment, now),
      end() {
        keyFrames.end()
        close()
      },
    },
    observe(motion) {
      lastReportAt = clock.elapsed()
      const { ended, open: next } = mergeMotion(open?.happening, motion, endedAt)
      if (ended) close()
      if (!next) return
      if (open) update(open, next)
      else begin(next)
    },
    close,
    check() {
      if (open && clock.elapsed() - lastReportAt > joining.still) close()
    },
    settled: () => limit(async () => {}),
  }
}

/** An id begins with the item's start, so that items of the same time are close together in the index; the rest is random. */
const idOf = ({ start }: OpenItem, random: Random): string =>
  Math.max(0, Math.round(start)).toString(16).padStart(12, '0').slice(-12) + random.bytes(10).toString('hex')
