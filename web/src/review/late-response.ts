import type { ReviewItemResponse, ReviewPage } from '../../../server/src/api-types.ts'

/** Returns an item as it is now; undefined once it's gone. */
export type ItemChange = (item: ReviewItemResponse) => ReviewItemResponse | undefined

/** For each page on its way, what changed since it was requested. */
const awaited = new Set<ItemChange[]>()

/** Notes a change for the pages on their way, which can be older. */
export function noteChange(change: ItemChange): void {
  for (const changes of awaited) changes.push(change)
}

/** Requests a page, and applies to it what changed until it arrived. */
export async function withLaterChanges(request: () => Promise<ReviewPage>): Promise<ReviewPage> {
  const changes: ItemChange[] = []
  awaited.add(changes)
  try {
    const page = await request()
    return changes.reduce(changedPage, page)
  } finally {
    awaited.delete(changes)
  }
}

export const changedPage = (page: ReviewPage, change: ItemChange): ReviewPage => ({
  ...page,
  items: page.items.flatMap((item) => change(item) ?? []),
})
