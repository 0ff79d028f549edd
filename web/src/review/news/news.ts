import type { ReviewItemResponse, ReviewPage } from '../../../../server/src/api-types.ts'
import { fits } from '../fits.ts'
import type { ReviewFilter } from '../search.ts'

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

/** Whether items can be missing between a list and the newest page, all of which is newer than the list. */
export function isBehind(newest: ReviewPage, listed: readonly ReviewItemResponse[]): boolean {
  const last = newest.items.at(-1)
  return (
    newest.cursor !== null && last !== undefined && listed.length > 0 && listed.every((item) => isOlder(item, last))
  )
}

/** Of these items of a list, those that the newest page would have if they still existed and matched its filter. */
export function goneFrom(
  newest: ReviewPage,
  listed: readonly ReviewItemResponse[],
  filter: ReviewFilter,
): ReviewItemResponse[] {
  const found = new Set(newest.items.map(({ id }) => id))
  const last = newest.cursor === null ? undefined : newest.items.at(-1)
  return listed.filter((item) => !found.has(item.id) && !(last && isOlder(item, last)) && fits(item, filter))
}

/** The service's order. */
const isOlder = (one: ReviewItemResponse, other: ReviewItemResponse): boolean =>
  one.start === other.start ? one.id < other.id : one.start < other.start
