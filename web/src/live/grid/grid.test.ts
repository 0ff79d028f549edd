import { expect, test } from 'vitest'
import { gap, layoutFor, stepIn } from './grid.ts'

test.each([
  ['one on a desktop', 1, 1416, 820, 1],
  ['three on a desktop', 3, 1416, 820, 2],
  ['four on a desktop', 4, 1416, 820, 2],
  ['six on a desktop', 6, 1416, 820, 3],
  ['nine on a desktop', 9, 1416, 820, 3],
  ['three on a phone in portrait', 3, 336, 660, 1],
  ['eight on a phone in portrait', 8, 336, 660, 1],
  ['twelve on a desktop', 12, 1416, 820, 4],
  ['sixteen on a wall display', 16, 3816, 2080, 4],
  ['fifty on a desktop scroll', 50, 1416, 820, 4],
])('%s', (_, count, width, height, columns) => {
  const layout = layoutFor(count, width, height)
  expect(layout.columns).toBe(columns)
  expect(layout.tile * layout.columns + gap * (layout.columns - 1)).toBeLessThanOrEqual(width)
})

test('the layout has a column before anything is measured', () => {
  expect(layoutFor(3, 0, 0).columns).toBeGreaterThan(0)
})

test.each([
  ['ArrowRight', 1, false, 2],
  ['ArrowRight', 1, true, 0],
  ['ArrowLeft', 0, false, -1],
  ['ArrowDown', 1, false, 4],
  ['ArrowUp', 1, false, -2],
  ['Home', 4, false, 0],
  ['End', 1, false, 6],
  ['Enter', 1, false, -1],
])('%s on tile %d of seven in three columns, right to left: %s', (key, at, rightToLeft, to) => {
  expect(stepIn(at, key, { columns: 3, count: 7, rightToLeft })).toBe(to)
})
