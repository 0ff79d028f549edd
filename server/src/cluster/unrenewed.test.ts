import { expect, test } from 'vitest'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { lease, recorder, viewOf } from '../../test/support/test-cluster.ts'
import { markUnrenewed, noRowsSeen, untilUnrenewed, type Read } from './unrenewed.ts'

/** What another instance has written, which is all valid by the database's clock. */
const written = (validUntil: number, epoch = 1): Read['view'] =>
  viewOf(0, [recorder('b', { seenAt: validUntil })], [lease('yard', 'b', { validUntil, epoch })])

/** Reads one after the other: what each shows, when it was sent and when its answer came. */
const reads: readonly (readonly [
  what: string,
  reads: readonly (readonly [view: Read['view'], sentAt: number, receivedAt: number])[],
  marked: boolean,
])[] = [
  ['is new', [[written(90_000), 10, 20]], false],
  [
    'was the same for less than six seconds',
    [
      [written(90_000), 10, 20],
      [written(90_000), 6_019, 6_500],
    ],
    false,
  ],
  [
    'was the same for six seconds',
    [
      [written(90_000), 10, 20],
      [written(90_000), 6_020, 6_030],
    ],
    true,
  ],
  [
    'has been renewed in between',
    [
      [written(90_000), 0, 0],
      [written(91_000), 4_000, 4_000],
      [written(91_000), 9_000, 9_000],
    ],
    false,
  ],
  [
    'has been renewed just now',
    [
      [written(90_000), 0, 0],
      [written(91_000), 60_000, 60_000],
    ],
    false,
  ],
]

test.each(reads)('[NODE-2] a row that %s', (_what, all, marked) => {
  let seen = noRowsSeen
  let view = viewOf(0, [], [])
  for (const [each, sentAt, receivedAt] of all)
    ({ seen, view } = markUnrenewed(seen, { view: each, sentAt, receivedAt }))
  expect([view.leases.get(cameraKey('yard'))?.isUnrenewed, view.instances[0]?.state]).toEqual([
    marked,
    marked ? 'away' : 'running',
  ])
})

test('[NODE-2] a lease with the next epoch is another one', () => {
  const { seen } = markUnrenewed(noRowsSeen, { view: written(90_000), sentAt: 0, receivedAt: 0 })
  const { view } = markUnrenewed(seen, { view: written(90_000, 2), sentAt: 7_000, receivedAt: 7_000 })
  expect(view.leases.get(cameraKey('yard'))?.isUnrenewed).toBe(false)
})

test('[NODE-2] the next read is due once the oldest row that is not marked would be', () => {
  const { seen } = markUnrenewed(noRowsSeen, { view: written(90_000), sentAt: 0, receivedAt: 100 })
  expect(untilUnrenewed(seen, 4_100)).toBe(2_000)
  expect(untilUnrenewed(seen, 6_100)).toBe(Infinity)
  expect(untilUnrenewed(noRowsSeen, 0)).toBe(Infinity)
})
