import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { item, page } from '../../test/test-items.ts'

const stubPage = () => vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
stubPage()
const { beginAgain, changeListed, deleteItems, dropFrom, markItems, putOnTop, reviewList, reviewSummary, showSeen } =
  await import('./queries.ts')

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

test('after items could be deleted only in part, the counts are fetched again, and the others stay listed', async () => {
  const queries = new QueryClient()
  const ids = ['a3', 'a2', 'a1']
  queries.setQueryData(reviewList({}).queryKey, { pages: [page(ids, null)], pageParams: [undefined] })
  queries.setQueryData(reviewSummary.queryKey, { days: [] })
  vi.stubGlobal('fetch', (url: URL) =>
    Promise.resolve(
      new Response(url.pathname.endsWith('a2') ? '{}' : null, { status: url.pathname.endsWith('a2') ? 503 : 204 }),
    ),
  )
  await expect(
    deleteItems(
      queries,
      ids.map((id) => item(id)),
    ),
  ).rejects.toMatchObject({ failure: { status: 503 } })
  expect(listed(queries)).toEqual([['a2', 'a1']])
  expect(queries.getQueryState(reviewSummary.queryKey)?.isInvalidated).toBe(true)
})

const remove = (id: string) => (one: ReviewItemResponse) => (one.id === id ? undefined : one)

/** The pages that are listed: ids, and which items are shown as seen. */
const listed = (queries: QueryClient) =>
  queries
    .getQueryData(reviewList({}).queryKey)
    ?.pages.map(({ items }) => items.map(({ id, seen }) => (seen ? `${id} seen` : id)))

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
  putOnTop(
    queries,
    {},
    added.map((id) => item(id)),
  )
  expect(listed(queries)).toEqual(ids)
})

test.each<[string, (queries: QueryClient) => void, readonly string[][]]>([
  [
    'nothing',
    () => {},
    [
      ['a50', 'a40'],
      ['a30', 'a20'],
    ],
  ],
  [
    'a mark as seen',
    (queries) => showSeen(queries, ({ id }) => id === 'a40', true),
    [
      ['a50', 'a40 seen'],
      ['a30', 'a20'],
    ],
  ],
  [
    'a mark of all',
    (queries) => showSeen(queries, () => true, true),
    [
      ['a50 seen', 'a40 seen'],
      ['a30 seen', 'a20 seen'],
    ],
  ],
  ['a deletion', (queries) => changeListed(queries, remove('a40')), [['a50'], ['a30', 'a20']]],
  ['a deletion from the next page', (queries) => changeListed(queries, remove('a30')), [['a50', 'a40'], ['a20']]],
  [
    'new items',
    (queries) => putOnTop(queries, {}, [item('a60')]),
    [
      ['a60', 'a50', 'a40'],
      ['a30', 'a20'],
    ],
  ],
  [
    'two marks and a deletion',
    (queries) => {
      showSeen(queries, () => true, true)
      showSeen(queries, ({ id }) => id === 'a30', false)
      changeListed(queries, remove('a50'))
    },
    [['a40 seen'], ['a30', 'a20 seen']],
  ],
])('what happens while the next page loads stays: %s', async (_title, change, shown) => {
  const nextPage = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', ({ searchParams }: URL) =>
    searchParams.has('cursor') ? nextPage.promise : Promise.resolve(Response.json(page(['a50', 'a40'], 'next'))),
  )
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, reviewList({}))
  onTestFinished(list.subscribe(() => {}))
  await vi.waitFor(() => expect(listed(queries)).toHaveLength(1))
  const next = list.fetchNextPage()
  await vi.waitFor(() => expect(list.getCurrentResult().isFetchingNextPage).toBe(true))
  change(queries)
  nextPage.resolve(Response.json(page(['a30', 'a20'], null)))
  await next
  expect(listed(queries)).toEqual(shown)
  expect(list.getCurrentResult().hasNextPage).toBe(false)
})

test('the list that is fetched again replaces the former one', async () => {
  const [first, second] = [page(['a50', 'a40'], null), page(['a60'], null)]
  const fetched = vi.fn().mockResolvedValueOnce(Response.json(first)).mockResolvedValueOnce(Response.json(second))
  vi.stubGlobal('fetch', fetched)
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, reviewList({}))
  onTestFinished(list.subscribe(() => {}))
  await vi.waitFor(() => expect(listed(queries)).toEqual([['a50', 'a40']]))
  await list.refetch()
  expect(listed(queries)).toEqual([['a60']])
})

test('items are dropped from one list only', () => {
  const queries = new QueryClient()
  const pages = { pages: [page(['a50', 'a40'], 'next'), page(['a30'], null)], pageParams: [undefined, 'next'] }
  for (const filter of [{}, { unseen: true } as const]) queries.setQueryData(reviewList(filter).queryKey, pages)
  dropFrom(queries, {}, new Set(['a50', 'a30']))
  expect(listed(queries)).toEqual([['a40'], []])
  expect(queries.getQueryData(reviewList({ unseen: true }).queryKey)).toEqual(pages)
})

test.each([
  ['has only what it has then', () => Response.json(page(['a90', 'a80'], 'later')), [['a90', 'a80']], true],
  ['keeps its first page if that fails', () => new Response(null, { status: 503 }), [['a50', 'a40']], false],
])('a list that begins again %s', async (_title, second, shown, worked) => {
  const responses = [page(['a50', 'a40'], 'next'), page(['a30', 'a20'], null)].map((each) => Response.json(each))
  const requested: (string | null)[] = []
  vi.stubGlobal('fetch', ({ searchParams }: URL) => {
    requested.push(searchParams.get('cursor'))
    return Promise.resolve(responses.shift() ?? second())
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const list = new InfiniteQueryObserver(queries, reviewList({}))
  onTestFinished(list.subscribe(() => {}))
  await vi.waitFor(() => expect(listed(queries)).toHaveLength(1))
  await list.fetchNextPage()
  expect(await beginAgain(queries, {})).toBe(worked)
  expect(listed(queries)).toEqual(shown)
  expect(requested).toEqual([null, 'next', null])
})
