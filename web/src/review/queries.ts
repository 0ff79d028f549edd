import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { pollInterval } from '../events/listening.ts'
import { fetchJson, sendJson } from '../api/api.ts'
import { deleteUnlessGone } from '../api/delete-unless-gone.ts'
import type { ReviewItemResponse, ReviewPage, ReviewSeen, ReviewSummary } from '../../../server/src/api-types.ts'
import { urlOf } from '../lib/base.ts'
import { afterCurrentPages } from '../api/next-page.ts'
import { queryKeys } from '../api/query-keys.ts'
import { boundsOf, timeZone } from '../lib/day.ts'
import { changedPage, noteChange, withLaterChanges, type ItemChange } from './late-response.ts'
import type { ReviewFilter, ShownItems } from './search.ts'

const pathOf = (id: string): string => `api/review/${encodeURIComponent(id)}`

/** URL of an item's thumbnail, which changes with the image; undefined if there is none. */
export const thumbnailUrl = ({ id, thumbnail }: ReviewItemResponse): string | undefined =>
  thumbnail === null ? undefined : urlOf(`${pathOf(id)}/thumbnail.jpg?at=${thumbnail}`).href

export const severityOf = (show: ShownItems = 'alerts'): ReviewItemResponse['severity'] | undefined =>
  show === 'alerts' ? 'alert' : show === 'detections' ? 'detection' : undefined

/** Items per page. */
const pageSize = 60

export function reviewPage(
  filter: ReviewFilter,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<ReviewPage> {
  const severity = severityOf(filter.show)
  const query = new URLSearchParams({
    limit: `${pageSize}`,
    ...(filter.camera && { cameras: filter.camera }),
    ...(severity && { severity }),
    ...(filter.day && bounds(filter.day)),
    ...(filter.unseen && { seen: 'false' }),
    ...(cursor && { cursor }),
  })
  return withLaterChanges(() => fetchJson<ReviewPage>(`api/review?${query}`, { signal }))
}

function bounds(day: string): { after: string; before: string } {
  const { after, before } = boundsOf(day)
  return { after: `${after}`, before: `${before}` }
}

/** Items, newest first. New ones are added only when the user asks, so that the list does not jump. */
export const reviewList = (filter: ReviewFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.review.list(filter),
    queryFn: ({ pageParam, signal }) => reviewPage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    structuralSharing: afterCurrentPages,
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached: returning to the page fetches new items.
    gcTime: 0,
  })

export const reviewItem = (id: string) =>
  queryOptions({
    queryKey: queryKeys.review.item(id),
    queryFn: ({ signal }) => fetchJson<ReviewItemResponse>(pathOf(id), { signal }),
  })

/** Numbers of all and of unseen items per day, by the browser's time zone. */
export const reviewSummary = queryOptions({
  queryKey: queryKeys.review.summary,
  queryFn: ({ signal }) => {
    const query = new URLSearchParams({ timezone: timeZone() })
    return fetchJson<ReviewSummary>(`api/review/summary?${query}`, { signal })
  },
  refetchInterval: () => pollInterval(30_000),
})

export const markSeen = (id: string, seen: boolean) => sendJson('PUT /api/review/:id/seen', { id }, { seen })

export const markMany = (body: ReviewSeen) => sendJson('PUT /api/review/seen', {}, body)

/** Maximum number of items in one call. */
const maxMarked = 500

/** Marks any number of items, by id. */
export async function markItems(ids: readonly string[], seen: boolean): Promise<void> {
  for (let at = 0; at < ids.length; at += maxMarked) await markMany({ ids: ids.slice(at, at + maxMarked), seen })
}

type List = InfiniteData<ReviewPage, string | undefined>

/** Changes items in every cached list, and on pages that are being fetched. */
export function changeListed(queries: QueryClient, change: ItemChange): void {
  noteChange(change)
  queries.setQueriesData<List>(
    { queryKey: queryKeys.review.lists },
    (list) => list && { ...list, pages: list.pages.map((page) => changedPage(page, change)) },
  )
}

/** Deletes items one by one; those that are deleted leave every list, even if a later one fails. */
export async function deleteItems(queries: QueryClient, items: readonly ReviewItemResponse[]): Promise<void> {
  try {
    for (const { id } of items) {
      await deleteUnlessGone(pathOf(id))
      changeListed(queries, (item) => (item.id === id ? undefined : item))
    }
  } finally {
    void queries.invalidateQueries({ queryKey: reviewSummary.queryKey })
  }
}

/** Shows items as seen or unseen in every cached list. */
export function showSeen(queries: QueryClient, which: (item: ReviewItemResponse) => boolean, seen: boolean): void {
  const change = (item: ReviewItemResponse) => (item.seen !== seen && which(item) ? { ...item, seen } : item)
  changeListed(queries, change)
  queries.setQueriesData<ReviewItemResponse>({ queryKey: queryKeys.review.items }, (item) => item && change(item))
}

/** Inserts items at the top of one list. Items that it has already stay where they are. */
export function putOnTop(queries: QueryClient, filter: ReviewFilter, items: readonly ReviewItemResponse[]): void {
  queries.setQueryData(reviewList(filter).queryKey, (list) => {
    const [first, ...others] = list?.pages ?? []
    if (!list || !first) return list
    const known = new Set(list.pages.flatMap((page) => page.items.map(({ id }) => id)))
    const merged = [...items.filter(({ id }) => !known.has(id)), ...first.items]
    merged.sort((one, other) => other.start - one.start)
    return { ...list, pages: [{ ...first, items: merged }, ...others] }
  })
}

/** Removes items from one list. */
export function dropFrom(queries: QueryClient, filter: ReviewFilter, gone: ReadonlySet<string>): void {
  queries.setQueryData(
    reviewList(filter).queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !gone.has(id)) })),
      },
  )
}

/** Fetches a list again from its beginning; until then, its first page stays. @returns whether that worked */
export async function beginAgain(queries: QueryClient, filter: ReviewFilter): Promise<boolean> {
  const { queryKey } = reviewList(filter)
  queries.setQueryData(
    queryKey,
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  )
  await queries.refetchQueries({ queryKey, exact: true })
  return queries.getQueryState(queryKey)?.status === 'success'
}
