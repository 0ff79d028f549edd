import { expect, test } from 'vitest'
import { columnsFor, isDimmed, pagesOf } from './screen-layout.ts'

test.each([
  [1, 1920, 1080, 1],
  [2, 1920, 1080, 2],
  [2, 1080, 1920, 1],
  [4, 1920, 1080, 2],
  [5, 1920, 1080, 3],
  [9, 1920, 1080, 3],
  [3, 390, 844, 1],
  [0, 1920, 1080, 1],
])('%i cameras on %i × %i pixels have %i columns', (count, width, height, columns) => {
  expect(columnsFor(count, width, height)).toBe(columns)
})

test.each<[cameras: string, perPage: number | null, pages: string[]]>([
  ['abc', null, ['abc']],
  ['abc', 1, ['a', 'b', 'c']],
  ['abcde', 2, ['ab', 'cd', 'e']],
  ['ab', 4, ['ab']],
  ['', null, ['']],
  ['', 2, ['']],
])('%s by %s are the pages %j', (cameras, perPage, pages) => {
  expect(pagesOf(Array.from(cameras), perPage).map((page) => page.join(''))).toEqual(pages)
})

test.each<[from: string, until: string, at: string, dark: boolean]>([
  ['22:00', '06:00', '21:59', false],
  ['22:00', '06:00', '22:00', true],
  ['22:00', '06:00', '00:30', true],
  ['22:00', '06:00', '06:00', false],
  ['13:00', '14:30', '14:29', true],
  ['13:00', '14:30', '14:30', false],
  ['13:00', '14:30', '12:59', false],
  ['08:00', '08:00', '03:00', true],
])('a screen that is dark from %s until %s at %s: %s', (from, until, at, dark) => {
  expect(isDimmed({ from, until }, new Date(`2026-01-05T${at}:00`))).toBe(dark)
  expect(isDimmed(null, new Date(`2026-01-05T${at}:00`))).toBe(false)
})
