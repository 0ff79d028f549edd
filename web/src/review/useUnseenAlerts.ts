import { useThrottledCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEvents } from '../events/Events.tsx'
import { unseenAlerts } from './counts.ts'
import { reviewSummary } from './review.ts'

/** Milliseconds: the service counts all there is, for everybody who has a page open. The first event counts at once. */
const recountEvery = 10_000

/** How many alerts one has not seen yet, as it changes. */
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
