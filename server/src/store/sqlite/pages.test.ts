import { expect, test } from 'vitest'
import { excessPages, type SqlitePages } from './pages.ts'

const pages = (count: number, free: number): SqlitePages => ({ count, free, size: 4096, canShrink: true })

/** Pages of a megabyte. */
const mb = 256

test.each<[string, SqlitePages, number]>([
  ['no free page', pages(100 * mb, 0), 0],
  ['4 MB, though all of the file', pages(4 * mb, 4 * mb), 0],
  ['a tenth, though 100 MB', pages(1000 * mb, 100 * mb), 0],
  ['a little more than 4 MB, most of the file: 2 MB are left', pages(6 * mb, 4 * mb + 1), 2 * mb + 1],
  ['90 of 100 MB: 2 MB are left', pages(100 * mb, 90 * mb), 88 * mb],
  ['100 of 300 MB: a twentieth is left', pages(300 * mb, 100 * mb), Math.ceil((85 * mb) / 0.95)],
  ['many, in a file that cannot shrink', { ...pages(100 * mb, 90 * mb), canShrink: false }, 0],
])('free pages to remove: %s', (_, found, expected) => {
  expect(excessPages(found)).toBe(expected)
})

test('what is left after removing pages is not much', () => {
  for (const [count, free] of [
    [6 * mb, 5 * mb],
    [100 * mb, 50 * mb],
    [5000 * mb, 600 * mb],
  ] as const) {
    const excess = excessPages(pages(count, free))
    expect(excess).toBeGreaterThan(0)
    expect(excessPages(pages(count - excess, free - excess))).toBe(0)
  }
})
