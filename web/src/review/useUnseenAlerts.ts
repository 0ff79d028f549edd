import { useThrottledCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEvents } from '../events/Events.tsx'
import { unseenAlerts } from './counts.ts'
import { reviewSummary } from './queries.ts'

/** Milliseconds between recounts: the service counts all items for every open page. The first event counts directly. */
const recountEvery = 10_000

/** The number of unseen alerts, kept current. */
export function useUnseenAlerts(): number {
  const queries = useQueryClient()
  const { data } = useQuery(reviewSummary)
  const refetchUnseen = useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: reviewSummary.queryKey }),
    recountEvery,
  )
  useEvents((event) => {
    if (['review', 'seen', 'again'].includes(event.type)) refetchUnseen()
  })
  return data ? unseenAlerts(data) : 0
}
