import { expect, test } from 'vitest'
import { steer } from './live-edge.ts'

const from = (start: number, end: number) => [{ start, end }]

test.each([
  ['an empty buffer', [], 0, { rate: 1 }],
  ['a stream that starts late is played from near its end', from(100, 104), 0, { seek: 103.4, rate: 1 }],
  ['near the edge nothing changes', from(100, 104), 103, { rate: 1 }],
  ['a little behind plays faster', from(100, 104), 102, { rate: 1.08 }],
  ['more than three seconds behind jumps', from(100, 104), 100.5, { seek: 103.4, rate: 1 }],
  ['past the end, media times restarted', from(0, 2), 50, { seek: 1.4, rate: 1, dropBefore: 40 }],
  ['in a gap, jumps to the newest range', [...from(0, 5), ...from(8, 9)], 6, { seek: 8.4, rate: 1 }],
  ['a short new range is played from its start', [...from(0, 5), ...from(8, 8.2)], 6, { seek: 8, rate: 1 }],
  ['old media is dropped', from(0, 31), 30.5, { rate: 1, dropBefore: 20.5 }],
])('%s', (_, spans, at, steering) => {
  expect(steer(spans, at)).toEqual(steering)
})
