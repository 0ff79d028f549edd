import { dirname } from 'node:path'
import { ServiceError } from '../errors.ts'
import { stat } from './media-disk.ts'

/**
 * Remembers the disk of a folder, which need not exist yet.
 *
 * @returns requires that the folder is still on that disk: otherwise it was unmounted, and no file counts as deleted.
 *   Throws ServiceError `unavailable`
 */
export async function rememberDisk(folder: string): Promise<() => Promise<void>> {
  const remembered = await deviceOf(folder)
  return async () => {
    if ((await deviceOf(folder)) !== remembered) throw diskMissing(`the disk of ${folder} is missing`)
  }
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
