import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'

const stubPage = () => vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
stubPage()
const { markItems, putOnTop, reviewList } = await import('./queries.ts')

beforeEach(stubPage)
afterEach(() => vi.unstubAllGlobals())

test.each([
  [1, [1]],
  [500, [500]],
  [501, [500, 1]],
  [1200, [500, 500, 200]],
])('[ROLE-11] %d items are marked in calls of at most 500', async (count, sizes) => {
  const sent: { ids: string[]; seen: boolean }[] = []
  vi.stubGlobal('fetch', (_url: URL, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as { ids: string[]; seen: boolean })
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const ids = Array.from({ length: count }, (_, at) => `item${at}`)
  await markItems(ids, true)
  expect(sent.map((each) => each.ids.length)).toEqual(sizes)
  expect(sent.flatMap((each) => each.ids)).toEqual(ids)
  expect(sent.every(({ seen }) => seen)).toBe(true)
})

/** An item named after its start: `a30` started before `a40`. */
const item = (id: string): ReviewItemResponse => ({
  id,
  camera: 'yard',
  start: Number(id.slice(1)),
  end: null,
  severity: 'alert',
  data: { motion: 1, box: null },
  thumbnail: null,
  seen: false,
})
const page = (ids: readonly string[], cursor: string | null) => ({ items: ids.map(item), cursor })

/** The ids of the pages that are listed. */
const listed = (queries: QueryClient) =>
  queries.getQueryData(reviewList({}).queryKey)?.pages.map(({ items }) => items.map(({ id }) => id))

test.each([
  [
    'a newer item is first',
    ['a60'],
    [
      ['a60', 'a50', 'a40'],
      ['a30', 'a20'],
    ],
  ],
  [
    'an item goes where its start belongs',
    ['a60', 'a45'],
    [
      ['a60', 'a50', 'a45', 'a40'],
      ['a30', 'a20'],
    ],
  ],
  [
    'an item of the first page is not listed twice',
    ['a60', 'a40'],
    [
      ['a60', 'a50', 'a40'],
      ['a30', 'a20'],
    ],
  ],
  [
    'an item of the second page is not listed twice',
    ['a60', 'a30'],
    [
      ['a60', 'a50', 'a40'],
      ['a30', 'a20'],
    ],
  ],
])('on top of the list, %s', (_title, added, ids) => {
  const queries = new QueryClient()
  queries.setQueryData(reviewList({}).queryKey, {
    pages: [page(['a50', 'a40'], 'next'), page(['a30', 'a20'], null)],
    pageParams: [undefined, 'next'],
  })
  putOnTop(queries, {}, added.map(item))
  expect(listed(queries)).toEqual(ids)
})
