import { useThrottledCallback, useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEvents } from '../events/Events.tsx'
import { ApiError, ask } from '../shared/api.ts'
import type { ReviewItemResponse, SeenEvent } from '../shared/api-types.ts'
import { fits, isMarked } from './fits.ts'
import { changeListed, putOnTop, reviewItem, reviewList, reviewPage, showSeen } from './review.ts'
import type { ReviewFilter } from './search.ts'

/** More than so many at once are asked for as a page. */
const many = 8

/**
 * Keeps a list true while things happen. What is listed changes where it stands; what is new waits, so that nothing
 * moves under one's hands, until it is called for.
 *
 * @returns what waits, newest first, and the call for it
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
    // An empty list has nothing that could move.
    if (here.length === 0 && news.length > 0) return putOnTop(queries, filter, news)
    setWaiting((before) =>
      [...before.filter(({ id }) => !fresh.has(id)), ...news].toSorted((one, other) => other.start - one.start),
    )
  }
  const drop = (id: string) => {
    changeListed(queries, (item) => (item.id === id ? undefined : item))
    setWaiting((before) => before.filter((item) => item.id !== id))
  }

  /** Here or on another page: it is shown where it stands, and nothing comes or goes. */
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
      // The next time it is asked for.
    }
  }
  const newest = async (id: string): Promise<ReviewItemResponse | undefined> => {
    try {
      const item = await ask<ReviewItemResponse>(`api/review/${encodeURIComponent(id)}`)
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
    if (ids.length > many) return catchUp()
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
  // Somebody who comes back to the page sees at once what happened.
  useWindowEvent('focus', () => void catchUp())

  const show = () => {
    putOnTop(queries, filter, waiting)
    setWaiting([])
  }
  return [waiting, show]
}
