import { dirname, join } from 'node:path'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { rm, rmdir } from '../shared/media-disk.ts'
import type { RecordingStore, Segment } from './recording-store.ts'
import type { Usage } from './usage.ts'

/** What is kept at most; `null`: no limit of its own. */
export interface Limits {
  readonly days: number | null
  /** Of 10⁹ bytes. */
  readonly gigabytes: number | null
}

export interface RetentionDeps {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'oldest' | 'remove'>
  readonly usage: Usage
  /** Of all cameras together; its days hold for every camera that has none of its own. */
  readonly whole: () => Limits
  /** Bytes that the disk has for recordings beside exports; null where it does not answer. */
  readonly room: () => Promise<number | null>
  readonly ofCamera: (camera: string) => Limits
  /** Whether things may be removed for their age by now. */
  readonly agesCount: () => boolean
  readonly clock: Clock
  readonly log: Log
}

/** Segments removed at a time. */
const batch = 100

/** Part of the room from which the next sweep is not waited for. */
const overRoom = 1.02

const day = 24 * 60 * 60_000
const gigabyte = 1_000_000_000

/** Keeps recordings within the days and the space they are given; the oldest go first. */
export function createRetention({
  folder,
  store,
  usage,
  whole,
  room,
  ofCamera,
  agesCount,
  clock,
  log,
}: RetentionDeps): {
  /** Goes through all of it once. */
  sweep(signal: AbortSignal): Promise<void>
  /**
   * Removes these, files and rows.
   *
   * @param gone hears of each whose file is gone, also where not all could be removed.
   */
  remove(segments: readonly Segment[], gone?: (segment: Segment) => void): Promise<void>
  /** Whether so much more is recorded than the disk had room for that the next sweep should not be waited for. */
  isOverRoom(): boolean
} {
  let roomBytes: number | null = null

  /** The file first: what is left after a crash is a row without a file, which the next start drops. */
  const remove = async (segments: readonly Segment[], gone?: (segment: Segment) => void): Promise<void> => {
    const without: Segment[] = []
    try {
      for (const segment of segments) {
        await rm(join(folder, segment.file), { force: true })
        without.push(segment)
        gone?.(segment)
      }
    } finally {
      // Another process can have removed some of them already.
      const removed = await store.remove(without.map(({ id }) => id))
      for (const { camera, bytes } of removed) usage.removed(camera, bytes)
    }
    const folders = new Set(segments.map(({ file }) => dirname(file)))
    for (const each of folders) {
      // Only an empty one goes; a day's folder after the last of its cameras'.
      await rmdir(join(folder, each))
        .then(() => rmdir(join(folder, dirname(each))))
        .catch(() => undefined)
    }
  }

  /** Removes the oldest for as long as there are such that are too much. */
  const removeWhile = async (
    camera: string | undefined,
    tooMuch: (segment: Segment, removedBefore: number) => boolean,
    signal: AbortSignal,
  ): Promise<number> => {
    let removed = 0
    while (!signal.aborted) {
      const oldest = await store.oldest(camera, batch)
      let bytes = 0
      const last = oldest.findIndex((segment) => {
        if (!tooMuch(segment, bytes)) return true
        bytes += segment.bytes
        return false
      })
      const going = last < 0 ? oldest : oldest.slice(0, last)
      if (going.length > 0) await remove(going)
      removed += going.length
      if (going.length < batch) return removed
    }
    return removed
  }

  return {
    remove,
    isOverRoom: () => roomBytes !== null && usage.counted && usage.bytes() > roomBytes * overRoom,
    async sweep(signal) {
      const all = whole()
      const aged = agesCount()
      let removed = 0
      for (const camera of usage.cameras()) {
        const { days, gigabytes } = ofCamera(camera)
        const keptDays = days ?? all.days
        if (aged && keptDays !== null) {
          const oldest = clock.now() - keptDays * day
          removed += await removeWhile(camera, ({ end }) => end < oldest, signal)
        }
        if (gigabytes !== null) {
          const max = gigabytes * gigabyte
          removed += await removeWhile(camera, (_, gone) => usage.bytesOf(camera) - gone > max, signal)
        }
      }
      roomBytes = await room()
      const max = Math.min(all.gigabytes === null ? Infinity : all.gigabytes * gigabyte, roomBytes ?? Infinity)
      if (max < Infinity) {
        removed += await removeWhile(undefined, (_, gone) => usage.bytes() - gone > max, signal)
      }
      if (removed > 0) log.debug({ removed }, 'removed what was too old or too much')
    },
  }
}
