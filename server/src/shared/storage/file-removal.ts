import { join } from 'node:path'
import type { Log } from '../log.ts'
import { rm } from './media-disk.ts'
import type { Clock } from '../time/clock.ts'
import { systemCodeOf } from '../caught-error.ts'
import { hour } from '../time/durations.ts'

export interface FileRemovalDeps {
  readonly folder: string
  readonly clock: Pick<Clock, 'elapsed'>
  readonly log: Log
}

/** Removes files of recordings or thumbnails. One that can't be removed is logged once, and must not keep others from being removed. */
export interface FileRemoval {
  /**
   * @param file path relative to the folder; it can be missing
   * @returns why it couldn't be removed
   * @throws an error that prevents any file on the disk from being removed
   */
  remove(file: string): Promise<Error | undefined>
  /** Whether it couldn't be removed a short time ago. Background work then leaves it alone. */
  isPostponed(file: string): boolean
}

/** Milliseconds for which a file that couldn't be removed is left alone. */
const retryAfter = hour

export function createFileRemoval({ folder, clock, log }: FileRemovalDeps): FileRemoval {
  /** Files that couldn't be removed, with the time of the next attempt on the steady clock. */
  const failed = new Map<string, number>()
  return {
    async remove(file) {
      try {
        await rm(join(folder, file), { force: true })
        failed.delete(file)
        return undefined
      } catch (error) {
        if (!(error instanceof Error) || isOfDisk(error)) throw error
        if (!failed.has(file)) log.warn({ file, err: error }, 'failed to remove file')
        failed.set(file, clock.elapsed() + retryAfter)
        return error
      }
    },
    isPostponed: (file) => (failed.get(file) ?? -Infinity) > clock.elapsed(),
  }
}

/** Whether the disk is read-only or so full that nothing can be removed: that doesn't concern one file. */
const isOfDisk = (error: unknown): boolean => ['EROFS', 'ENOSPC', 'EDQUOT'].includes(systemCodeOf(error) ?? '')
