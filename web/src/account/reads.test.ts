import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { ownReadsQuery } = await import('./reads.ts')

test('a list that was read far back is not fetched again when the window gets the focus', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const fetched = vi.fn(() => Promise.resolve(Response.json({ entries: [], cursor: 'next' })))
  vi.stubGlobal('fetch', fetched)
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, ownReadsQuery(''))
  onTestFinished(list.subscribe(() => {}))
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true))
  await list.fetchNextPage()
  queries.getQueryCache().onFocus()
  expect(list.getCurrentResult().isFetching).toBe(false)
  expect(fetched).toHaveBeenCalledTimes(2)
})
