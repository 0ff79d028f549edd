import { join } from 'node:path'
import type { Frame, JpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import type { Log } from '../shared/log.ts'
import { mkdir, readFile, readdir, rm, rmdir, atomicWrite } from '../shared/storage/media-disk.ts'
import type { ReviewItem } from './review-store.ts'

/** Thumbnails of items on disk, in one folder per day. */
export interface Thumbnails {
  /** @returns false if the thumbnail can't be made or saved: the item has none then. */
  make(item: Place, frame: Frame): Promise<boolean>
  /** undefined if there is none. */
  read(item: Place): Promise<Buffer | undefined>
  remove(items: readonly Place[]): Promise<void>
  /** Removes the folders of days before a time (Unix milliseconds), with any files left by a crash. */
  removeBefore(moment: number): Promise<void>
}

type Place = Pick<ReviewItem, 'id' | 'start'>

/** Pixels. */
const height = 360

const dayOf = (start: number): string => new Date(start).toISOString().slice(0, 10)

export function createThumbnails({
  folder,
  jpegEncoder,
  log,
}: {
  readonly folder: string
  readonly jpegEncoder: JpegEncoder
  readonly log: Log
}): Thumbnails {
  let failing = false
  const fileOf = ({ id, start }: Place): string => join(folder, dayOf(start), `${id}.jpg`)

  return {
    async make(item, frame) {
      try {
        const jpeg = await jpegEncoder.jpegOf(frame, height)
        await mkdir(join(folder, dayOf(item.start)), { recursive: true, mode: 0o700 })
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
    read: (item) => readFile(fileOf(item)).catch(undefinedIfMissing),
    async remove(items) {
      for (const item of items) await rm(fileOf(item), { force: true })
      // rmdir removes only an empty folder.
      for (const day of new Set(items.map(({ start }) => dayOf(start)))) {
        await rmdir(join(folder, day)).catch(() => undefined)
      }
    },
    async removeBefore(moment) {
      const first = dayOf(moment)
      const days = await readdir(folder).catch(undefinedIfMissing)
      for (const day of days ?? []) {
        if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < first)
          await rm(join(folder, day), { recursive: true, force: true })
      }
    },
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
