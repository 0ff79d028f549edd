import { useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEvents } from '../../events/Events.tsx'
import type { ReviewItemResponse, ReviewPage, SeenEvent } from '../../../../server/src/api-types.ts'
import { catchUp, fetchItems, shownBeyond } from './catch-up.ts'
import { isMarked } from '../fits.ts'
import { newsOf } from './news.ts'
import { useBatches } from './useBatches.ts'
import { beginAgain, changeListed, putOnTop, reviewList, showSeen } from '../queries.ts'
import type { ReviewFilter } from '../search.ts'

/** With more changes than this, the newest page is fetched first. */
const refetchAbove = 8

/**
 * Keeps a list current as events arrive. Changes to listed items show immediately. New items wait until the user asks
 * for them, so that the list does not move under the pointer.
 *
 * @param pages those that the list has loaded
 * @returns the waiting items, newest first, and a function that shows them; it resolves to whether the list was fetched
 *   again for that
 */
export function useNewItems(
  filter: ReviewFilter,
  pages: readonly ReviewPage[],
): [readonly ReviewItemResponse[], () => Promise<boolean>] {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<readonly ReviewItemResponse[]>([])
  /** There are more new items than those that wait. */
  const [hasGap, setGap] = useState(false)

  // What was loaded since is listed.
  const news = newsOf(waiting, pages, filter)

  const take = (items: readonly ReviewItemResponse[]) => {
    const fresh = new Map(items.map((item) => [item.id, item]))
    changeListed(queries, (item) => fresh.get(item.id) ?? item)
    const { queryKey } = reviewList(filter)
    const loaded = queries.getQueryData(queryKey)?.pages ?? []
    // An empty list has no items that could move.
    if (loaded.every((page) => page.items.length === 0) && newsOf(items, loaded, filter).length > 0) {
      return void queries.invalidateQueries({ queryKey, exact: true })
    }
    setWaiting((before) => newsOf([...before.filter(({ id }) => !fresh.has(id)), ...items], loaded, filter))
  }
  const drop = (id: string) => {
    changeListed(queries, (item) => (item.id === id ? undefined : item))
    setWaiting((before) => before.filter((item) => item.id !== id))
  }

  /** Marked here or on another page: updates the listed items without adding or removing any. */
  const marked = (event: SeenEvent) => {
    const which = isMarked(event)
    showSeen(queries, which, event.seen)
    setWaiting((before) => before.map((item) => (which(item) ? { ...item, seen: event.seen } : item)))
  }

  const catchUpWithList = async () => {
    const missed = await catchUp(queries, filter, waiting)
    if (!missed) return undefined
    setWaiting((before) => before.filter(({ id }) => !missed.gone.has(id)))
    if (missed.isBehind) setGap(true)
    take(missed.newest)
    return missed
  }

  const refetch = useBatches(async (ids) => {
    let rest = ids
    if (ids.length > refetchAbove) {
      const missed = await catchUpWithList()
      if (!missed) return ids
      rest = shownBeyond(missed.newest, ids, { queries, filter, waiting })
    }
    const { found, gone, failed } = await fetchItems(queries, rest)
    for (const id of gone) drop(id)
    take(found)
    return failed
  })

  useEvents((event) => {
    if (event.type === 'again') return void catchUpWithList()
    if (event.type === 'seen') return marked(event)
    if (event.type !== 'review') return
    if (event.change === 'deleted') return drop(event.id)
    refetch(event.id)
  })
  // A user who returns to the page sees immediately what happened.
  useWindowEvent('focus', () => void catchUpWithList())

  const show = async () => {
    if (hasGap) {
      if (await beginAgain(queries, filter)) setGap(false)
      return true
    }
    putOnTop(queries, filter, news)
    setWaiting([])
    return false
  }
  return [news, show]
}
