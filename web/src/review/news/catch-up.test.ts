import { QueryClient } from '@tanstack/react-query'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { item, page } from '../../../test/test-items.ts'

const stubPage = () => vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
stubPage()
const { catchUp, fetchItems, shownBeyond } = await import('./catch-up.ts')
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

test('items are fetched a few at a time, and a failed request is not taken for a deleted item', async () => {
  const statuses: Readonly<Record<string, number>> = { a2: 404, a3: 403, a4: 429, a5: 503 }
  let running = 0
  let max = 0
  vi.stubGlobal('fetch', async (url: URL | string) => {
    running += 1
    max = Math.max(max, running)
    await Promise.resolve()
    running -= 1
    const id = String(url).split('/').at(-1) ?? ''
    if (id === 'a6') throw new TypeError('offline')
    return statuses[id] === undefined ? Response.json(item(id)) : Response.json({}, { status: statuses[id] })
  })
  const ids = Array.from({ length: 20 }, (_, at) => `a${at + 1}`)
  const { found, gone, failed } = await fetchItems(new QueryClient(), ids)
  expect({ gone, failed }).toEqual({ gone: ['a2', 'a3'], failed: ['a4', 'a5', 'a6'] })
  expect(found.map(({ id }) => id)).toEqual(ids.filter((id) => !['a2', 'a3', 'a4', 'a5', 'a6'].includes(id)))
  expect(max).toBeLessThanOrEqual(8)
})

test('of many changed items, those that are listed or waiting are fetched unless the newest page has them', () => {
  const context = { queries: listOf('a50', 'a40'), filter: {}, waiting: [item('a60')] }
  expect(shownBeyond([item('a50')], ['a60', 'a50', 'a40', 'a30'], context)).toEqual(['a60', 'a40'])
})
