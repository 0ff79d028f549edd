import { describe, expect, test } from 'vitest'
import { endOf, mergeMotion, joining, type OpenItem } from './merge-motion.ts'
import type { MotionSample } from '../shared/camera/motion-sample.ts'

const at = Date.UTC(2026, 10, 21, 10)

/** Frames by second: a number is the percent that moves, null is a frame without motion. */
type Seconds = readonly (readonly [second: number, percent: number | null])[]

const sample = (second: number, percent: number | null): MotionSample => ({
  at: at + second * 1000,
  percent: percent ?? 0,
  moving: percent !== null,
  box: percent === null ? null : { x: 0, y: 0, width: percent / 100, height: 1 },
})

/** Every second from one to another, both inclusive. */
const all = (from: number, to: number, percent: number | null): Seconds =>
  Array.from({ length: to - from + 1 }, (_, each) => [from + each, percent] as const)

function joined(seconds: Seconds): { items: OpenItem[]; open: OpenItem | undefined } {
  const items: OpenItem[] = []
  let open: OpenItem | undefined
  let endedAt: number | undefined
  for (const [second, percent] of seconds) {
    const step = mergeMotion(open, sample(second, percent), endedAt)
    open = step.open
    if (step.ended) {
      items.push(step.ended)
      endedAt = endOf(step.ended)
    }
  }
  return { items, open }
}

const spans = (items: readonly OpenItem[]) =>
  items.map((each) => [(each.start - at) / 1000, (endOf(each) - at) / 1000, each.severity])

describe('motion is merged', () => {
  test.each<[string, Seconds, unknown[]]>([
    ['nothing moves: nothing', all(0, 60, null), []],
    ['a moment, with a little before and after', [[10, 3], ...all(11, 30, null)], [[7, 12, 'detection']]],
    [
      'two motions close together are one item',
      [[10, 3], ...all(11, 20, null), [21, 3], ...all(22, 40, null)],
      [[7, 23, 'detection']],
    ],
    [
      'two motions far apart are two items',
      [[10, 3], ...all(11, 25, null), [26, 3], ...all(27, 50, null)],
      [
        [7, 12, 'detection'],
        [23, 28, 'detection'],
      ],
    ],
    [
      'the second item begins no earlier than the first ended',
      [...all(0, 1, 3), ...all(2, 16, null), [17, 3], ...all(18, 40, null)],
      [
        [-3, 3, 'detection'],
        [14, 19, 'detection'],
      ],
    ],
    ['large motion is an alert', [[10, joining.strong], ...all(11, 30, null)], [[7, 12, 'alert']]],
    ['a little less isn’t one', [[10, joining.strong - 1], ...all(11, 30, null)], [[7, 12, 'detection']]],
    ['long is an alert', [...all(0, 10, 1), ...all(11, 30, null)], [[-3, 12, 'alert']]],
    ['not quite so long isn’t one', [...all(0, 9, 1), ...all(10, 30, null)], [[-3, 11, 'detection']]],
    [
      'short motions far apart do not add up to an alert',
      [[0, 1], [5, null], [10, 1], [15, null], [20, 1], ...all(21, 40, null)],
      [[-3, 22, 'detection']],
    ],
    ['an alert stays one', [[0, 50], ...all(1, 5, 1), ...all(6, 30, null)], [[-3, 7, 'alert']]],
    [
      'missing frames do not count as motion',
      [
        [0, 1],
        [4, 1],
        [8, 1],
        [40, null],
      ],
      [[-3, 10, 'detection']],
    ],
    [
      'no frame was analyzed for a while: the item ends at its last motion',
      [[0, 1], [1, 1], [600, 1], ...all(601, 620, null)],
      [
        [-3, 3, 'detection'],
        [597, 602, 'detection'],
      ],
    ],
    [
      'the clock is set forward by a year',
      [
        [0, 1],
        [1, 1],
        [31_536_000, 1],
        [31_536_100, null],
      ],
      [
        [-3, 3, 'detection'],
        [31_535_997, 31_536_002, 'detection'],
      ],
    ],
    [
      'the clock is set back by an hour',
      [[0, 1], [1, 1], [-3600, 1], ...all(-3599, -3580, null)],
      [
        [-3, 3, 'detection'],
        [-3603, -3598, 'detection'],
      ],
    ],
    [
      'frames slightly out of order belong to the item',
      [[0, 1], [2, 1], [1, 1], ...all(3, 30, null)],
      [[-3, 4, 'detection']],
    ],
  ])('%s', (_what, seconds, expected) => {
    const { items, open } = joined(seconds)
    expect({ items: spans(items), open }).toEqual({ items: expected, open: undefined })
  })

  test('endless motion is split into items without a gap', () => {
    const { items, open } = joined(all(0, 700, 2))
    expect(spans(items)).toEqual([
      [-3, 298, 'alert'],
      [297, 598, 'alert'],
    ])
    expect((open!.start - at) / 1000).toBe(597)
    expect(open!.severity).toBe('alert')
  })

  test('the peak is the first time of the most motion, with its box', () => {
    const { open } = joined([
      [0, 2],
      [1, 7],
      [2, 5],
      [3, 7],
      [4, 0],
    ])
    expect(open?.peak).toEqual({ at: at + 1000, percent: 7, box: { x: 0, y: 0, width: 0.07, height: 1 } })
  })

  test('an open detection is raised to an alert', () => {
    const severities = all(0, 12, 1).map((_, count, seconds) => joined(seconds.slice(0, count + 1)).open?.severity)
    expect(severities).toEqual([...Array<string>(10).fill('detection'), 'alert', 'alert', 'alert'])
  })
})
