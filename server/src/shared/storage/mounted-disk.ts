import { dirname, join } from 'node:path'
import { codeOrMessage } from '../caught-error.ts'
import { ServiceError } from '../errors.ts'
import { undefinedIfMissing } from '../files/missing-file.ts'
import type { Random } from '../random.ts'
import { newId } from '../random-id.ts'
import { atomicWrite, mkdir, readFile, stat } from './media-disk.ts'

export interface FolderOnDisk {
  readonly folder: string
  /**
   * Requires that the folder is still on the disk that was remembered: otherwise it was unmounted, and no file counts as
   * deleted.
   *
   * @throws ServiceError `unavailable`
   */
  requireDisk(): Promise<void>
}

/**
 * Remembers the disk of a folder by its device, and by a mark in the folder: it is recognized also if it comes back as
 * another device. A disk that can't be read yet is remembered once it can.
 */
export async function rememberDisk(folder: string, random: Random): Promise<FolderOnDisk> {
  const find = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // A full disk has no mark, and is recognized by its device alone.
    const mark = (await markIn(folder)) ?? (await addMark(folder, random).catch(() => undefined))
    return { device: await deviceOf(folder), mark }
  }
  let disk = await find().catch(() => undefined)
  const isThere = async (): Promise<boolean> => {
    disk ??= await find()
    if ((await deviceOf(folder)) === disk.device) return true
    return disk.mark !== undefined && (await markIn(folder)) === disk.mark
  }
  return {
    folder,
    async requireDisk() {
      const isMounted = await isThere().catch((cause: unknown) => {
        throw diskMissing(`the disk of ${folder} fails: ${codeOrMessage(cause)}`)
      })
      if (!isMounted) throw diskMissing(`the disk of ${folder} is missing`)
    },
  }
}

/** Name of the file with the mark of a folder. */
const markFile = '.library'

/** The mark of a folder; undefined if it has none. */
export const markIn = async (folder: string): Promise<string | undefined> =>
  (await readFile(join(folder, markFile)).catch(undefinedIfMissing))?.toString().trim()

/** Marks a folder. @returns the mark, which no other folder has */
export async function addMark(folder: string, random: Random): Promise<string> {
  const mark = newId(random)
  await atomicWrite(join(folder, markFile), `${mark}\n`, 0o600)
  return mark
}

/** @param cause for the log: paths are nothing for users */
export const diskMissing = (cause: string): ServiceError =>
  new ServiceError('unavailable', { reason: 'recordings-disk-missing', cause: new Error(cause), retryAfter: 30 })

/** For files on a disk that no instance has. It may never be back, so no time is given after which to try again. */
export class DiskLost extends ServiceError {
  constructor() {
    super('unavailable', { reason: 'recordings-disk-missing', cause: new Error('no instance has the disk') })
  }
}

/** Of the folder, or of what contains it. */
const deviceOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ dev }) => dev,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || path === dirname(path)) throw error
      return deviceOf(dirname(path))
    },
  )
