import * as fs from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import * as wholeFile from '../files/atomic-write.ts'

/**
 * File operations for MEDIA_DIR, whose disk may hang.
 *
 * Each operation in progress blocks a thread of a small pool, which name lookups and the configuration also need. So
 * the number of concurrent operations is limited, leaving one thread per core plus two free (see `run-service.mjs`).
 */
const concurrency = Math.max(2, Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) - availableParallelism() - 2)
const limit = pLimit(concurrency)

const limited =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    limit(work, ...args)

export type { FileHandle } from 'node:fs/promises'

export const mkdir = limited((path: string, options: { recursive: true; mode: number }) => fs.mkdir(path, options))
export const readFile = limited((path: string) => fs.readFile(path))
export const readdir = limited((path: string) => fs.readdir(path))
export const realpath = limited((path: string) => fs.realpath(path))
export const rename = limited(fs.rename)
export const rm = limited(fs.rm)
export const rmdir = limited((path: string) => fs.rmdir(path))
export const stat = limited((path: string) => fs.stat(path))
export const statfs = limited((path: string) => fs.statfs(path))
export const truncate = limited(fs.truncate)
export const syncAndRename = limited(wholeFile.syncAndRename)
export const atomicWrite = limited(wholeFile.atomicWrite)

/** Opens a file. Its later operations are limited too, also those of a stream of the file. */
export const open = limited(async (path: string, flags?: string, mode?: number): Promise<fs.FileHandle> => {
  const file = await fs.open(path, flags, mode)
  for (const name of ['read', 'write', 'stat', 'truncate', 'sync', 'datasync', 'close'] as const) {
    const work = file[name].bind(file) as (...args: unknown[]) => Promise<unknown>
    Object.assign(file, { [name]: limited(work) })
  }
  return file
})
