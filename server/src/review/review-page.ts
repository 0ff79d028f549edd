import type { Owner } from '../access/identity.ts'
import type { ItemPosition, ItemQuery, SeenItem } from './review-store.ts'
import { yieldToEventLoop } from '../shared/yield-to-event-loop.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The place after which older items follow; undefined if there are none. */
  readonly next: ItemPosition | undefined
}

/** With a filter by `seen`: items read per query, and maximum queries per page. */
const scan = { items: 250, queries: 20 }

/**
 * Reads one page, newest first.
 *
 * @param seen only items that this owner has seen, or only unseen ones; undefined: both. With this filter, a page can
 * have fewer items than its limit although more follow, so that a request never takes long.
 */
export async function pageOf<
  Query extends Pick<ItemQuery, 'from' | 'limit'>,
  Item extends Pick<SeenItem, 'id' | 'start' | 'seen'>,
>(
  store: { items(owner: Owner, query: Query): Promise<Item[]> },
  owner: Owner,
  query: Query,
  seen: boolean | undefined,
): Promise<Page<Item>> {
  const { limit } = query
  // One extra item shows whether there is another page.
  const size = seen === undefined ? limit + 1 : scan.items
  const items: Item[] = []
  let from: ItemPosition | undefined = query.from
  for (let count = 0; count < scan.queries; count++) {
    const rows = await store.items(owner, { ...query, from, limit: size })
    for (const row of rows) {
      if (seen === undefined || row.seen === seen) {
        if (items.length === limit) return { items, next: from }
        items.push(row)
      }
      from = row
    }
    if (rows.length < size) return { items, next: undefined }
    await yieldToEventLoop()
  }
  return { items, next: from }
}
