import * as fs from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { createSemaphore } from './semaphore.ts'
import * as wholeFile from './atomic-write.ts'

/**
 * The operations on files that are used below MEDIA_DIR, where a disk may hang.
 *
 * Each that is under way holds a thread, of which there are few, and which lookups of names and the configuration need
 * as well. So never more of them are begun than leave one for each core, and two (see `start.mjs`).
 */
const concurrency = Math.max(2, Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) - availableParallelism() - 2)
const serialized = createSemaphore(concurrency)

const limited =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    serialized(() => work(...args))

export type { FileHandle } from 'node:fs/promises'

export const mkdir = limited((path: string, options: { recursive: true; mode: number }) => fs.mkdir(path, options))
export const readFile = limited((path: string) => fs.readFile(path))
export const readdir = limited((path: string) => fs.readdir(path))
export const rename = limited(fs.rename)
export const rm = limited(fs.rm)
export const rmdir = limited((path: string) => fs.rmdir(path))
export const stat = limited((path: string) => fs.stat(path))
export const statfs = limited((path: string) => fs.statfs(path))
export const truncate = limited(fs.truncate)
export const syncAndRename = limited(wholeFile.syncAndRename)
export const atomicWrite = limited(wholeFile.atomicWrite)

/** What is done with the file afterwards goes by turns as well, also by a stream of it. */
export const open = limited(async (path: string, flags?: string, mode?: number): Promise<fs.FileHandle> => {
  const file = await fs.open(path, flags, mode)
  for (const name of ['read', 'write', 'stat', 'truncate', 'sync', 'datasync', 'close'] as const) {
    const work = file[name].bind(file) as (...args: unknown[]) => Promise<unknown>
    Object.assign(file, { [name]: limited(work) })
  }
  return file
})
