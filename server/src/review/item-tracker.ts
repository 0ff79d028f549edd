import type { Frame } from '../media/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { endOf, mergeMotion, joining, type OpenItem } from './merge-motion.ts'
import type { ItemWriter } from './item-writer.ts'
import { createKeyFrames } from './key-frames.ts'
import type { MotionSample } from './motion.ts'
import type { ReviewItem } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'

/** Makes items of what moves before one camera. */
export interface ItemTracker {
  readonly tap: StreamConsumer
  observe(motion: MotionSample): void
  /** What goes on is over: nobody looks any more. */
  close(): void
  /** Closes what nobody has spoken of for a while. */
  check(): void
  /** @returns once no picture is being made. */
  settled(): Promise<void>
}

export interface WatchDeps {
  readonly camera: string
  readonly keeper: Pick<ItemWriter, 'save' | 'isForgotten'>
  readonly thumbnails: Pick<Thumbnails, 'make' | 'remove'>
  readonly clock: Clock
  readonly random: Random
}

/** Milliseconds between two writings of an item that goes on: so much of it a crash may cost. */
const saveEvery = 5000

/** A better picture of what goes on is made so often at most, in milliseconds, and of so much more movement. */
const better = { every: 10_000, times: 1.3 }

interface Open {
  readonly id: string
  happening: OpenItem
  savedAt: number
  thumbnailAt: number | null
  /** Of the picture that was tried last. */
  tried: { readonly frame: Frame; readonly percent: number; readonly since: number } | undefined
}

export function createItemTracker({ camera, keeper, thumbnails, clock, random }: WatchDeps): ItemTracker {
  const keyFrames = createKeyFrames()
  let open: Open | undefined
  let endedAt: number | undefined
  /** {@link Clock.elapsed}. */
  let heardAt = 0
  let pictures: Promise<void> = Promise.resolve()

  const itemOf = ({ id, happening, thumbnailAt }: Open, goesOn: boolean): ReviewItem => ({
    id,
    camera,
    severity: happening.severity,
    start: happening.start,
    end: endOf(happening),
    open: goesOn,
    motion: happening.peak.percent,
    box: happening.peak.box,
    thumbnailAt,
  })

  /** Makes a picture of the moment at which most moved so far, if there is a better one than before. */
  const picture = (of: Open): void => {
    const { peak, movedFrom, movedAt } = of.happening
    const frame = keyFrames.of(peak.at, movedFrom, movedAt)
    if (!frame || frame === of.tried?.frame) return
    of.tried = { frame, percent: peak.percent, since: clock.elapsed() }
    pictures = pictures.then(() => make(of, frame))
  }

  const make = async (of: Open, frame: Frame): Promise<void> => {
    const place = { id: of.id, start: of.happening.start }
    if (keeper.isForgotten(of.id) || !(await thumbnails.make(place, frame))) return
    if (keeper.isForgotten(of.id)) await thumbnails.remove([place])
    of.thumbnailAt = frame.at
    keeper.save(itemOf(of, of === open), 'update')
  }

  const wantsPicture = ({ tried, happening: { peak } }: Open): boolean =>
    tried === undefined ||
    (clock.elapsed() - tried.since >= better.every && peak.percent >= tried.percent * better.times)

  const close = (): void => {
    if (!open) return
    const over = open
    open = undefined
    endedAt = endOf(over.happening)
    keeper.save(itemOf(over, false), 'end')
    picture(over)
    keyFrames.hold(undefined)
  }

  const begin = (happening: OpenItem): void => {
    open = { id: idOf(happening, random), happening, savedAt: clock.elapsed(), thumbnailAt: null, tried: undefined }
    keyFrames.hold(happening.peak.at)
    keeper.save(itemOf(open, true), 'new')
    picture(open)
  }

  const goOn = (going: Open, happening: OpenItem): void => {
    const raised = going.happening.severity !== happening.severity
    going.happening = happening
    keyFrames.hold(happening.peak.at)
    if (raised || clock.elapsed() - going.savedAt >= saveEvery) {
      going.savedAt = clock.elapsed()
      keeper.save(itemOf(going, true), raised ? 'update' : undefined)
    }
    if (wantsPicture(going)) picture(going)
  }

  return {
    tap: {
      begin: (init) => keyFrames.begin(init),
      fragment: (fragment, now) => keyFrames.fragment(fragment, now),
      end() {
        keyFrames.end()
        close()
      },
    },
    observe(motion) {
      heardAt = clock.elapsed()
      const { ended, open: next } = mergeMotion(open?.happening, motion, endedAt)
      if (ended) close()
      if (!next) return
      if (open) goOn(open, next)
      else begin(next)
    },
    close,
    check() {
      if (open && clock.elapsed() - heardAt > joining.still) close()
    },
    settled: () => pictures,
  }
}

/** Begins with its time, so that what came together lies together; nobody can guess or count the rest. */
const idOf = ({ start }: OpenItem, random: Random): string =>
  Math.max(0, Math.round(start)).toString(16).padStart(12, '0').slice(-12) + random.bytes(10).toString('hex')
