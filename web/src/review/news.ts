import type { ReviewItemResponse, ReviewPage } from '../../../server/src/api-types.ts'
import { fits } from './fits.ts'
import type { ReviewFilter } from './search.ts'

/**
 * Of these items, those that are new to a list, newest first: they match its filter, and are neither listed nor on a
 * later page.
 */
export function newsOf(
  items: readonly ReviewItemResponse[],
  pages: readonly ReviewPage[],
  filter: ReviewFilter,
): ReviewItemResponse[] {
  const listed = pages.flatMap((page) => page.items)
  const known = new Set(listed.map(({ id }) => id))
  const hasNext = typeof pages.at(-1)?.cursor === 'string'
  const last = hasNext ? listed.at(-1) : undefined
  return items
    .filter((item) => !known.has(item.id) && !(last && isOlder(item, last)) && fits(item, filter))
    .toSorted((one, other) => other.start - one.start)
}

/** The service's order. */
const isOlder = (one: ReviewItemResponse, other: ReviewItemResponse): boolean =>
  one.start === other.start ? one.id < other.id : one.start < other.start
