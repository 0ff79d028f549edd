import { expect, test } from 'vitest'
import { formatList } from './format-list.ts'

const more = ({ count }: { count: number }) => `${count} more`
const names = (count: number) => Array.from({ length: count }, (_none, index) => `n${index + 1}`)

test.each([
  { count: 0, shown: '' },
  { count: 2, shown: 'n1 and n2' },
  // One name takes no more space than the number would.
  { count: 7, shown: 'n1, n2, n3, n4, n5, n6, and n7' },
  { count: 8, shown: 'n1, n2, n3, n4, n5, n6, and 2 more' },
])('$count names', ({ count, shown }) => {
  expect(formatList(names(count), 'en', more)).toBe(shown)
})

test('of a list of which only the first are known, the others are counted', () => {
  expect(formatList(names(3), 'en', more, 3, 10)).toBe('n1, n2, n3, and 7 more')
})
