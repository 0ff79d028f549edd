import { afterAll, expect, test, vi } from 'vitest'
import { item, page } from '../../../test/test-items.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { goneFrom, isBehind, newsOf } = await import('./news.ts')

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

const items = (ids: readonly string[]) => ids.map((id) => item(id))

test.each([
  ['the newest page reaches the list', page(['a60', 'a50'], 'next'), ['a50', 'a40'], false],
  ['more is new than a page has', page(['a70', 'a60'], 'next'), ['a50', 'a40'], true],
  ['all that is new is on the page', page(['a70', 'a60'], null), ['a50', 'a40'], false],
  ['the page ends at the start of the newest listed item', page(['b50'], 'next'), ['a50'], true],
  ['the list continues below the page, whose items it does not have', page(['a40', 'a30'], 'next'), ['a50'], false],
  ['nothing is listed', page(['a70'], 'next'), [], false],
  ['nothing was found', page([], null), ['a50'], false],
])('whether a list has a gap: %s', (_title, newest, listed, gap) => {
  expect(isBehind(newest, items(listed))).toBe(gap)
})

test.each([
  ['none, if the page has all', page(['a50', 'a40'], 'next'), ['a50', 'a40', 'a30'], []],
  ['one between two of the page', page(['a50', 'a30'], 'next'), ['a50', 'a40', 'a30', 'a20'], ['a40']],
  ['one above the page', page(['a40'], 'next'), ['a50', 'a40'], ['a50']],
  ['not those on later pages', page(['a60'], 'next'), ['a50', 'a40'], []],
  ['also the older ones, if there is no later page', page(['a60'], null), ['a50', 'a40'], ['a50', 'a40']],
  ['all, if no items are left', page([], null), ['a50', 'a40'], ['a50', 'a40']],
  ['with one start, not those with a lower id', page(['b50'], 'next'), ['c50', 'a50'], ['c50']],
])('what was deleted from a list: %s', (_title, newest, listed, gone) => {
  expect(goneFrom(newest, items(listed), {}).map(({ id }) => id)).toEqual(gone)
})

test('an item that was seen since stays in a list of unseen ones', () => {
  const listed = [item('a50', { seen: true }), item('a40')]
  expect(goneFrom(page([], null), listed, { unseen: true })).toEqual([item('a40')])
})
