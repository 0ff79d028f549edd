import { expect, test } from 'vitest'
import { afterCurrentPages } from './next-page.ts'

const pages = (...pages: readonly string[]) => ({ pages: pages.map((id) => ({ id })), pageParams: pages })

test.each([
  ['the first page is taken', undefined, pages('a'), ['a']],
  ['a next page comes after the pages as they are now', pages('a2'), pages('a', 'b'), ['a2', 'b']],
  ['a changed page is taken', pages('a', 'b'), pages('a2', 'b'), ['a2', 'b']],
  ['all pages fetched again are taken, also fewer', pages('a', 'b'), pages('a2'), ['a2']],
])('%s', (_title, current, fetched, ids) => {
  expect(afterCurrentPages(current, fetched)).toEqual({ ...fetched, pages: ids.map((id) => ({ id })) })
})

test('a page that is the same stays the same object, so that nothing renders again', () => {
  const current = pages('a', 'b')
  expect(afterCurrentPages(current, pages('a', 'b'))).toBe(current)
})
