import { expect, test } from 'vitest'
import { gap, layoutFor } from './grid.ts'

test.each([
  ['one on a desk', 1, 1416, 820, 1],
  ['three on a desk', 3, 1416, 820, 2],
  ['four on a desk', 4, 1416, 820, 2],
  ['nine on a desk', 9, 1416, 820, 3],
  ['three on a phone held upright', 3, 336, 660, 1],
  ['eight on a phone held upright', 8, 336, 660, 1],
  ['sixteen on a wall', 16, 3816, 2080, 4],
  ['fifty on a desk scroll', 50, 1416, 820, 4],
])('%s', (_, count, width, height, columns) => {
  const layout = layoutFor(count, width, height)
  expect(layout.columns).toBe(columns)
  expect(layout.tile * layout.columns + gap * (layout.columns - 1)).toBeLessThanOrEqual(width)
})

test('before anything is measured there is still a grid', () => {
  expect(layoutFor(3, 0, 0).columns).toBeGreaterThan(0)
})
