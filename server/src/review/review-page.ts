import type { Owner } from '../access/identity.ts'
import type { ItemQuery, Place, ReviewStore, SeenItem } from './review-store.ts'

export interface Page {
  readonly items: readonly SeenItem[]
  /** What is older comes after it; undefined where nothing is. */
  readonly next: Place | undefined
}

/** Where only what is seen, or is not, is asked for: items looked at in one go, and goes of one page. */
const looks = { items: 250, goes: 20 }

/**
 * One page, newest first.
 *
 * @param seen only what is seen or is not, by this owner; undefined: both. Then a page may hold fewer items than there
 * are further on, so that it never takes long.
 */
export async function pageOf(
  store: Pick<ReviewStore, 'items'>,
  owner: Owner,
  query: ItemQuery,
  seen: boolean | undefined,
): Promise<Page> {
  const { limit } = query
  // One more tells whether there is another page.
  const size = seen === undefined ? limit + 1 : looks.items
  const items: SeenItem[] = []
  let from = query.from
  for (let go = 0; go < looks.goes; go++) {
    const rows = await store.items(owner, { ...query, from, limit: size })
    for (const row of rows) {
      if (seen === undefined || row.seen === seen) {
        if (items.length === limit) return { items, next: from }
        items.push(row)
      }
      from = row
    }
    if (rows.length < size) return { items, next: undefined }
    await new Promise((resolve) => void setImmediate(resolve))
  }
  return { items, next: from }
}
