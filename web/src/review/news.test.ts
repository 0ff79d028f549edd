import { afterAll, expect, test, vi } from 'vitest'
import { item, page } from './test-items.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { newsOf } = await import('./news.ts')

afterAll(() => vi.unstubAllGlobals())

const [onePage, twoPages] = [[page(['a50', 'a40'], 'next')], [page(['a50', 'a40'], 'next'), page(['a30', 'a20'], null)]]
test.each([
  ['an item above the list is new', onePage, ['a60', 'a50'], ['a60']],
  ['an item between listed ones is new', onePage, ['a45'], ['a45']],
  ['items beyond the last loaded one are on a later page', onePage, ['a60', 'a50', 'a40', 'a30', 'a20'], ['a60']],
  ['of two items with one start, that with the lower id is on a later page', [page(['b40'], 'next')], ['a40'], []],
  ['of two items with one start, that with the higher id is new', [page(['b40'], 'next')], ['c40'], ['c40']],
  ['an item of the second page is known', twoPages, ['a60', 'a30'], ['a60']],
  ['without a later page, an older item is new', twoPages, ['a10'], ['a10']],
  ['in an empty list, all are new', [page([], null)], ['a60', 'a10'], ['a60', 'a10']],
  ['after an empty page, the page before decides', [page(['a50'], 'x'), page([], 'next')], ['a60', 'a40'], ['a60']],
  ['the newest is first', onePage, ['a60', 'a70'], ['a70', 'a60']],
  ['without a list, all are new', [], ['a60'], ['a60']],
])('%s', (_title, pages, fetched, news) => {
  const found = newsOf(
    fetched.map((id) => item(id)),
    pages,
    {},
  )
  expect(found.map(({ id }) => id)).toEqual(news)
})

test('an item that the filter leaves out is not new', () => {
  const fetched = [item('a60', { seen: true }), item('a61')]
  expect(newsOf(fetched, onePage, { unseen: true })).toEqual([item('a61')])
})
