import { join } from 'node:path'
import type { Frame, JpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Log } from '../shared/log.ts'
import { createFileRemoval } from '../shared/storage/file-removal.ts'
import { mkdir, readFile, readdir, rm, rmdir, atomicWrite } from '../shared/storage/media-disk.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { ReviewItem } from './review-store.ts'
import { undefinedIfMissing } from '../shared/files/missing-file.ts'
import { isDate, utcDateOf } from '../shared/time/utc-date.ts'

/** Thumbnails of items on disk, in one folder per day. While the disk is missing, none is made or removed. */
export interface Thumbnails {
  /** @returns false if the thumbnail can't be made or saved: the item has none then. */
  make(item: Place, frame: Frame): Promise<boolean>
  /** undefined if there is none. @throws ServiceError `unavailable` if the disk is missing */
  read(item: Place): Promise<Buffer | undefined>
  /**
   * @returns why thumbnails couldn't be removed, by item
   * @throws an error because of which none can be removed: ServiceError `unavailable` if the disk is missing
   */
  remove(items: readonly Place[]): Promise<ReadonlyMap<string, Error>>
  /** Whether it couldn't be removed a short time ago. Background work then leaves it alone. */
  isPostponed(item: Place): boolean
  /** Removes the folders of days before a time (Unix milliseconds), with any files left by a crash. @throws the first error, after the others */
  removeBefore(moment: number): Promise<void>
}

type Place = Pick<ReviewItem, 'id' | 'start'>

/** Pixels. */
const height = 360

/** Path relative to the folder. */
const nameOf = ({ id, start }: Place): string => join(utcDateOf(start), `${id}.jpg`)

export function createThumbnails({
  folder,
  requireDisk,
  jpegEncoder,
  clock,
  log,
}: {
  readonly folder: string
  /** @throws ServiceError `unavailable` if the disk is missing */
  readonly requireDisk: () => Promise<void>
  readonly jpegEncoder: JpegEncoder
  readonly clock: Pick<Clock, 'elapsed'>
  readonly log: Log
}): Thumbnails {
  let failing = false
  const files = createFileRemoval({ folder, clock, log })
  const fileOf = (item: Place): string => join(folder, nameOf(item))

  return {
    async make(item, frame) {
      try {
        const jpeg = await jpegEncoder.jpegOf(frame, height)
        // Otherwise it would stay below the mount point.
        await requireDisk()
        await mkdir(join(folder, utcDateOf(item.start)), { recursive: true, mode: 0o700 })
        await atomicWrite(fileOf(item), jpeg, 0o600)
        failing = false
        return true
      } catch (err) {
        // A full disk costs the thumbnails, and only one log line.
        if (!failing) log.warn({ err }, 'failed to save thumbnail')
        failing = true
        return false
      }
    },
    async read(item) {
      const jpeg = await readFile(fileOf(item)).catch(undefinedIfMissing)
      if (!jpeg) await requireDisk()
      return jpeg
    },
    async remove(items) {
      const errors = new Map<string, Error>()
      if (items.length > 0) await requireDisk()
      for (const item of items) {
        const error = await files.remove(nameOf(item))
        if (error) errors.set(item.id, error)
      }
      // rmdir removes only an empty folder.
      for (const day of new Set(items.map(({ start }) => utcDateOf(start)))) {
        await rmdir(join(folder, day)).catch(() => undefined)
      }
      return errors
    },
    isPostponed: (item) => files.isPostponed(nameOf(item)),
    async removeBefore(moment) {
      await requireDisk()
      const first = utcDateOf(moment)
      const days = await readdir(folder).catch(undefinedIfMissing)
      const old = (days ?? []).filter((day) => isDate(day) && day < first)
      await everyPart(old.map((day) => () => rm(join(folder, day), { recursive: true, force: true })))
    },
  }
}
