import { useThrottledCallback, useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEvents } from '../events/Events.tsx'
import { ApiError, fetchJson } from '../api/api.ts'
import type { ReviewItemResponse, SeenEvent } from '../../../server/src/api-types.ts'
import { fits, isMarked } from './fits.ts'
import { changeListed, putOnTop, reviewItem, reviewList, reviewPage, showSeen } from './queries.ts'
import type { ReviewFilter } from './search.ts'

/** With more new items than this, the list is refetched instead. */
const refetchAbove = 8

/**
 * Keeps a list current as events arrive. Changes to listed items show immediately. New items wait until the user asks
 * for them, so that the list does not move under the pointer.
 *
 * @returns the waiting items, newest first, and a function that shows them
 */
export function useNewItems(filter: ReviewFilter): [readonly ReviewItemResponse[], () => void] {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<readonly ReviewItemResponse[]>([])
  const changed = useRef(new Set<string>())

  const listed = () => queries.getQueryData(reviewList(filter).queryKey)?.pages.flatMap(({ items }) => items) ?? []

  const take = (items: readonly ReviewItemResponse[]) => {
    const fresh = new Map(items.map((item) => [item.id, item]))
    changeListed(queries, (item) => fresh.get(item.id) ?? item)
    const here = listed()
    const known = new Set(here.map(({ id }) => id))
    const news = items.filter((item) => !known.has(item.id) && fits(item, filter))
    // An empty list has no items that could move.
    if (here.length === 0 && news.length > 0) return putOnTop(queries, filter, news)
    setWaiting((before) =>
      [...before.filter(({ id }) => !fresh.has(id)), ...news].toSorted((one, other) => other.start - one.start),
    )
  }
  const drop = (id: string) => {
    changeListed(queries, (item) => (item.id === id ? undefined : item))
    setWaiting((before) => before.filter((item) => item.id !== id))
  }

  /** Marked here or on another page: updates the listed items without adding or removing any. */
  const marked = (event: SeenEvent) => {
    const which = isMarked(event)
    showSeen(queries, which, event.seen)
    setWaiting((before) =>
      before.map((item) => (which(item) ? { ...item, seen: event.seen } : item)).filter((item) => fits(item, filter)),
    )
  }

  const catchUp = async () => {
    if (!queries.getQueryData(reviewList(filter).queryKey)) return
    try {
      take((await reviewPage(filter, undefined)).items)
    } catch {
      // The next refetch catches up.
    }
  }
  const newest = async (id: string): Promise<ReviewItemResponse | undefined> => {
    try {
      const item = await fetchJson<ReviewItemResponse>(`api/review/${encodeURIComponent(id)}`)
      queries.setQueryData(reviewItem(id).queryKey, item)
      return item
    } catch (error) {
      if (error instanceof ApiError && [403, 404].includes(error.failure.status)) drop(id)
      return undefined
    }
  }

  const view = useThrottledCallback(async () => {
    const ids = [...changed.current]
    changed.current.clear()
    if (ids.length > refetchAbove) return catchUp()
    const found = await Promise.all(ids.map((id) => newest(id)))
    take(found.filter((item) => item !== undefined))
  }, 500)

  useEvents((event) => {
    if (event.type === 'again') return void catchUp()
    if (event.type === 'seen') return marked(event)
    if (event.type !== 'review') return
    if (event.change === 'deleted') return drop(event.id)
    changed.current.add(event.id)
    view()
  })
  // A user who returns to the page sees immediately what happened.
  useWindowEvent('focus', () => void catchUp())

  const show = () => {
    putOnTop(queries, filter, waiting)
    setWaiting([])
  }
  return [waiting, show]
}
