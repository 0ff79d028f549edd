import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { farDayQuery, summaryQuery } = await import('./queries.ts')

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a search that reaches further back is not answered by one that found nothing nearer', () => {
  const day = new Date(2026, 10, 15).getTime() / 1000
  const keyUntil = (year: number, month: number, date: number) =>
    farDayQuery(['yard'], day, -1, new Date(year, month, date).getTime() / 1000).queryKey
  expect(keyUntil(2025, 9, 20)).not.toEqual(keyUntil(2025, 10, 20))
  // Whole months are searched.
  expect(keyUntil(2025, 10, 1)).toEqual(keyUntil(2025, 10, 20))
})

test('a day that has just begun is asked for until it has recordings', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 16, 0, 1) })
  // Queries are repeated only in a browser.
  environmentManager.setIsServer(() => false)
  let days = ['2026-11-15']
  const fetched = vi.fn(() => Promise.resolve(Response.json({ days: days.map((day) => ({ day })) })))
  vi.stubGlobal('fetch', fetched)
  const yesterday = new Date(2026, 10, 15).getTime() / 1000
  const observer = new QueryObserver(new QueryClient(), summaryQuery('yard', yesterday, '2026-11-16'))
  onTestFinished(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(65_000)
  expect(fetched).toHaveBeenCalledTimes(3)
  days = ['2026-11-15', '2026-11-16']
  await vi.advanceTimersByTimeAsync(300_000)
  expect(fetched).toHaveBeenCalledTimes(4)
})
