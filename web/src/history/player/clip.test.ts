import { expect, test } from 'vitest'
import { endingAt, clipAround, startingAt } from './clip.ts'

const now = 100_000

test.each([
  ['a new clip', clipAround(5000.4, now), { from: 4985, to: 5015 }],
  ['a clip at the present', clipAround(now, now), { from: 99_985, to: now }],
  ['a start before the end', startingAt({ from: 10, to: 100 }, 50, now), { from: 50, to: 100 }],
  ['a start after the end', startingAt({ from: 10, to: 100 }, 200, now), { from: 200, to: 230 }],
  ['a start long before the end', startingAt({ from: 0, to: 99_000 }, 1000, now), { from: 1000, to: 91_000 }],
  ['an end after the start', endingAt({ from: 10, to: 100 }, 80, now), { from: 10, to: 80 }],
  ['an end before the start', endingAt({ from: 50, to: 100 }, 40, now), { from: 10, to: 40 }],
  ['an end in the future', endingAt({ from: 99_000, to: 99_500 }, 200_000, now), { from: 99_000, to: now }],
])('%s', (_, mark, requested) => expect(mark).toEqual(requested))
