import type { DatabaseSync } from 'node:sqlite'

/** The pages of a SQLite file. */
export interface SqlitePages {
  readonly count: number
  /** Pages that deleted rows left for new ones. */
  readonly free: number
  /** Bytes of a page. */
  readonly size: number
  /** Whether free pages can be removed in steps. Only a new file and one after VACUUM can be given this. */
  readonly canShrink: boolean
}

/** Reads the pages as of the last commit. Takes a few microseconds. */
export function pagesOf(db: DatabaseSync): SqlitePages {
  const row = db
    .prepare(
      `select page_count, freelist_count, page_size, auto_vacuum
      from pragma_page_count(), pragma_freelist_count(), pragma_page_size(), pragma_auto_vacuum()`,
    )
    .get()
  return {
    count: Number(row?.['page_count']),
    free: Number(row?.['freelist_count']),
    size: Number(row?.['page_size']),
    canShrink: row?.['auto_vacuum'] === 2,
  }
}

/** Free pages are many if they are more than this share of the file, and more than these bytes. */
const many = { share: 0.1, bytes: 4 * 2 ** 20 }

/**
 * Returns how many free pages to remove: none if there aren't many, otherwise so many that half of what would be many
 * is left for the rows of the near future.
 */
export function excessPages({ count, free, size, canShrink }: SqlitePages): number {
  if (!canShrink || free <= count * many.share || free * size <= many.bytes) return 0
  const share = many.share / 2
  // Every page that is removed also makes the file smaller.
  const byShare = Math.ceil((free - count * share) / (1 - share))
  return Math.min(byShare, free - Math.ceil(many.bytes / 2 / size))
}
