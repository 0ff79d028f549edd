import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Export } from '../../../server/src/api-types.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { exportList, recentExports, applyExportEvent } = await import('./queries.ts')

afterAll(() => vi.unstubAllGlobals())

const running = (id: string, progress: number): Export => ({
  id,
  camera: 'yard',
  name: '',
  start: 0,
  end: 10,
  state: 'running',
  progress,
  duration: null,
  bytes: null,
  created_at: '2026-11-21T10:00:00Z',
  created_by: 'vera',
  own: true,
})

test('while the next page loads, the progress of an export is shown and stays', async () => {
  const nextPage = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', ({ searchParams }: URL) =>
    searchParams.has('cursor')
      ? nextPage.promise
      : Promise.resolve(Response.json({ items: [running('a', 10)], cursor: 'next' })),
  )
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, exportList(undefined))
  onTestFinished(list.subscribe(() => {}))
  const shown = () => list.getCurrentResult().data?.pages.map(({ items }) => items.map(({ progress }) => progress))
  await vi.waitFor(() => expect(shown()).toEqual([[10]]))
  const next = list.fetchNextPage()
  const event = { type: 'export', change: 'updated', id: 'a', camera: 'yard', state: 'running', progress: 40 } as const
  expect(applyExportEvent(queries, event)).toBe(true)
  nextPage.resolve(Response.json({ items: [running('b', 0)], cursor: null }))
  await next
  expect(shown()).toEqual([[40], [0]])
})

test('while an export runs, only the newest exports are fetched again, and every list shows them', async () => {
  let progress = 10
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items: [running('a', progress)], cursor: 'next' })))
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, exportList(undefined))
  onTestFinished(list.subscribe(() => {}))
  const shown = () => list.getCurrentResult().data?.pages[0]?.items[0]?.progress
  await vi.waitFor(() => expect(shown()).toBe(10))
  progress = 40
  await queries.fetchQuery(recentExports)
  expect(shown()).toBe(40)
  expect(list.options.refetchInterval).toBeUndefined()
})
