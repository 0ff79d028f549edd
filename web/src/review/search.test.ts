import { expect, test } from 'vitest'
import { reviewSearch } from './search.ts'

test.each([
  [{}, {}],
  [
    { show: 'all', camera: 'yard', day: '2026-11-21', unseen: true, item: 'a1' },
    { show: 'all', camera: 'yard', day: '2026-11-21', unseen: true, item: 'a1' },
  ],
  [{ show: 'alerts', camera: 7 }, { camera: '7' }],
  [{ show: 'everything', camera: '../x', day: '2026-02-30', unseen: 'yes', item: {} }, {}],
])('the query %o is parsed as %o', (values, meant) => {
  expect(reviewSearch(values)).toEqual(meant)
})
