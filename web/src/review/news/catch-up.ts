import type { QueryClient } from '@tanstack/react-query'
import { ApiError, fetchJson } from '../../api/api.ts'
import type { ReviewItemResponse, ReviewPage } from '../../../../server/src/api-types.ts'
import { goneFrom, isBehind } from './news.ts'
import { dropFrom, reviewItem, reviewList, reviewPage } from '../queries.ts'
import type { ReviewFilter } from '../search.ts'

/** What happened without events, as far as the newest page of a list shows it. */
interface Missed {
  readonly newest: readonly ReviewItemResponse[]
  /** Ids of listed and waiting items that are gone. */
  readonly gone: ReadonlySet<string>
  /** There can be more new items than those on the page. */
  readonly isBehind: boolean
}

const listedIn = (queries: QueryClient, filter: ReviewFilter): readonly ReviewItemResponse[] | undefined =>
  queries.getQueryData(reviewList(filter).queryKey)?.pages.flatMap(({ items }) => items)

/**
 * Fetches the newest page of a list, and drops from the list what that page shows to be gone.
 *
 * @param waiting new items that aren't listed yet
 * @returns undefined if there is no list, or no page: the next refetch catches up
 */
export async function catchUp(
  queries: QueryClient,
  filter: ReviewFilter,
  waiting: readonly ReviewItemResponse[],
): Promise<Missed | undefined> {
  const before = listedIn(queries, filter)
  if (!before) return undefined
  let page: ReviewPage
  try {
    page = await reviewPage(filter, undefined)
  } catch {
    return undefined
  }
  // What was added since is perhaps newer than the page.
  const known = new Set([...before, ...waiting].map(({ id }) => id))
  const now = [...(listedIn(queries, filter) ?? []), ...waiting].filter(({ id }) => known.has(id))
  const gone = new Set(goneFrom(page, now, filter).map(({ id }) => id))
  if (gone.size > 0) dropFrom(queries, filter, gone)
  return { newest: page.items, gone, isBehind: isBehind(page, listedIn(queries, filter) ?? []) }
}

/** Of many changed items, those that are shown and aren't on the newest page. */
export function shownBeyond(
  newest: readonly ReviewItemResponse[],
  changed: readonly string[],
  {
    queries,
    filter,
    waiting,
  }: {
    readonly queries: QueryClient
    readonly filter: ReviewFilter
    readonly waiting: readonly ReviewItemResponse[]
  },
): string[] {
  const fresh = new Set(newest.map(({ id }) => id))
  const shown = new Set([...(listedIn(queries, filter) ?? []), ...waiting].map(({ id }) => id))
  return changed.filter((id) => shown.has(id) && !fresh.has(id))
}

/** Requests at the same time. */
const concurrency = 8

/** Items as they are now, by what became of their requests. */
export interface FetchedItems {
  readonly found: readonly ReviewItemResponse[]
  /** Ids of items that the user can no longer see. */
  readonly gone: readonly string[]
  /** Ids of items whose requests failed otherwise. */
  readonly failed: readonly string[]
}

/** Fetches items, a few at a time. */
export async function fetchItems(queries: QueryClient, ids: readonly string[]): Promise<FetchedItems> {
  const results: { readonly id: string; readonly result: ReviewItemResponse | 'gone' | 'failed' }[] = []
  for (let at = 0; at < ids.length; at += concurrency) {
    const some = ids.slice(at, at + concurrency)
    results.push(...(await Promise.all(some.map(async (id) => ({ id, result: await newestOf(queries, id) })))))
  }
  const idsOf = (which: 'gone' | 'failed') => results.filter(({ result }) => result === which).map(({ id }) => id)
  return {
    found: results.flatMap(({ result }) => (typeof result === 'string' ? [] : [result])),
    gone: idsOf('gone'),
    failed: idsOf('failed'),
  }
}

async function newestOf(queries: QueryClient, id: string): Promise<ReviewItemResponse | 'gone' | 'failed'> {
  try {
    const item = await fetchJson<ReviewItemResponse>(`api/review/${encodeURIComponent(id)}`)
    queries.setQueryData(reviewItem(id).queryKey, item)
    return item
  } catch (error) {
    return error instanceof ApiError && [403, 404].includes(error.failure.status) ? 'gone' : 'failed'
  }
}
