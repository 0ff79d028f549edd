import { QueryClient } from '@tanstack/react-query'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { item, page } from '../test-items.ts'

const stubPage = () => vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
stubPage()
const { catchUp } = await import('./catch-up.ts')
const { putOnTop, reviewList } = await import('../queries.ts')

beforeEach(stubPage)
afterEach(() => vi.unstubAllGlobals())

function listOf(...ids: string[]) {
  const queries = new QueryClient()
  queries.setQueryData(reviewList({}).queryKey, { pages: [page(ids, 'next')], pageParams: [undefined] })
  return queries
}
const listed = (queries: QueryClient) =>
  queries.getQueryData(reviewList({}).queryKey)?.pages.flatMap(({ items }) => items.map(({ id }) => id))

test('listed and waiting items that are gone are dropped, but none that came after the request', async () => {
  const queries = listOf('a50', 'a40')
  const response = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => response.promise)
  const caughtUp = catchUp(queries, {}, [item('a60'), item('a55')])
  putOnTop(queries, {}, [item('a70')])
  response.resolve(Response.json(page(['a55', 'a40'], 'next')))
  expect(await caughtUp).toMatchObject({ gone: new Set(['a50', 'a60']), isBehind: false })
  expect(listed(queries)).toEqual(['a70', 'a40'])
})

test('a list is behind if all of its items that are left are older than the page', async () => {
  const queries = listOf('a50', 'a40')
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(page(['a60', 'a45'], 'next'))))
  expect(await catchUp(queries, {}, [])).toMatchObject({ gone: new Set(['a50']), isBehind: true })
})

test('without a response, and without a list, nothing changes', async () => {
  const queries = listOf('a50')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  expect(await catchUp(queries, {}, [])).toBeUndefined()
  expect(listed(queries)).toEqual(['a50'])
  expect(await catchUp(new QueryClient(), {}, [])).toBeUndefined()
})
