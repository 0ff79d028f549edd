import { expect, test } from 'vitest'
import { sortedSums } from './sums.ts'

const none = {
  watched: 0,
  watched_duration: 0,
  played: 0,
  played_duration: 0,
  downloads: 0,
  snapshots: 0,
  exports: 0,
  shares: 0,
}
const rows = [
  { ...none, name: null, watched_duration: 5 },
  { ...none, name: 'Bob', watched_duration: 2, played_duration: 3, exports: 1 },
  { ...none, name: 'cam 10', downloads: 1 },
  { ...none, name: 'cam 9', downloads: 4, shares: 2 },
]

test.each([
  ['time', ['Bob', null, 'cam 9', 'cam 10']],
  ['downloads', ['cam 9', 'cam 10', 'Bob', null]],
  ['exports', ['Bob', 'cam 9', 'cam 10', null]],
  ['shares', ['cam 9', 'Bob', 'cam 10', null]],
  ['name', ['Bob', 'cam 9', 'cam 10', null]],
] as const)('sums by %s', (order, names) => {
  const sorted = sortedSums(rows, order, ({ name }) => name ?? undefined, 'en')
  expect(sorted.map(({ name }) => name)).toEqual(names)
})
