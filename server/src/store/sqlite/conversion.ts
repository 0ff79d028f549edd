import { dirname } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { diskSpace } from '../../shared/storage/disk-space.ts'
import type { SqliteFile } from './file.ts'
import { pagesOf, type SqlitePages } from './pages.ts'

/** Bytes in use up to which a file is rewritten at a start: up to a second on a fast disk. */
const limit = 128 * 2 ** 20

/** Rewriting takes the space in use twice, for a copy and for the log; one more stays free. */
const spaceNeeded = 3

const usedBytes = ({ count, free, size }: SqlitePages): number => (count - free) * size

/** @param diskFree bytes that can still be written on the disk of the file */
export const canConvert = (pages: SqlitePages, diskFree: number): boolean =>
  !pages.canShrink && usedBytes(pages) <= limit && usedBytes(pages) * spaceNeeded <= diskFree

export interface SqliteConversionDeps {
  readonly path: string
  readonly file: Pick<SqliteFile, 'open'>
  /** Does work while no transaction of this process is open. */
  readonly alone: <T>(work: () => T) => Promise<T>
  readonly log: Log
}

/**
 * Rewrites the file of an earlier version once, so that it can shrink. Only at a start, because nothing is answered in
 * the meantime, and only if little is in use and the disk has enough space. Otherwise, the file stays as it is.
 */
export async function convertSqlite({ path, file, alone, log }: SqliteConversionDeps): Promise<void> {
  try {
    const pages = pagesOf(file.open().reader)
    if (!canConvert(pages, (await diskSpace(dirname(path))).free)) return
    await alone(() => file.open().writer.exec('pragma auto_vacuum = incremental; vacuum'))
    log.info(
      { file: path, before: pages.count * pages.size, after: usedBytes(pages) },
      'database file rewritten; it shrinks from now on',
    )
  } catch (err) {
    log.warn({ file: path, err }, 'failed to rewrite database file; retrying at the next start')
  }
}
