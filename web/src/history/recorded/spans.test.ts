import { expect, test } from 'vitest'
import {
  anyRecordedFrom,
  motionStarts,
  nextMotion,
  previousMotion,
  recordedFrom,
  spanAt,
  spansWithout,
} from './spans.ts'

const yard = [
  { start: 100, end: 200 },
  { start: 500, end: 600 },
]
const door = [{ start: 150, end: 300 }]

test.each([
  [100, yard[0]],
  [199, yard[0]],
  [200, undefined],
  [550, yard[1]],
  [700, undefined],
])('the recording at %d', (at, span) => expect(spanAt(yard, at)).toBe(span))

test.each([
  [0, 100],
  [150, 150],
  [199.9, 500],
  [600, undefined],
])('from %d, playback starts at %s', (at, from) => expect(recordedFrom(yard, at)).toBe(from))

test('with several cameras, playback continues with the first one recorded', () => {
  expect(anyRecordedFrom([yard, door], 210)).toBe(210)
  expect(anyRecordedFrom([yard, door], 300)).toBe(500)
  expect(anyRecordedFrom([yard, door], 900)).toBeUndefined()
  expect(anyRecordedFrom([], 0)).toBeUndefined()
})

const motion = { from: 1000, part: 10, percent: [0, 4, 9, 0, 0, 1, 0] }

test('motion over several buckets counts once', () => {
  expect(motionStarts(motion)).toEqual([1010, 1050])
})

test.each([
  ['before it', 1000, 1010, undefined],
  ['at its start', 1010, 1050, undefined],
  ['just after its start', 1012, 1050, undefined],
  ['during it', 1020, 1050, 1010],
  ['after all', 1090, undefined, 1050],
])('next and previous motion %s', (_, at, next, previous) => {
  expect([nextMotion([motion], at), previousMotion([motion], at)]).toEqual([next, previous])
})

test.each<[what: string, gone: [number, number][], left: [number, number][]]>([
  [
    'nothing',
    [],
    [
      [100, 200],
      [500, 600],
    ],
  ],
  [
    'a part in the middle',
    [[120, 130]],
    [
      [100, 120],
      [130, 200],
      [500, 600],
    ],
  ],
  [
    'the end of one and the start of the next',
    [[190, 510]],
    [
      [100, 190],
      [510, 600],
    ],
  ],
  ['a whole one', [[100, 200]], [[500, 600]]],
  [
    'two parts of one',
    [
      [110, 120],
      [150, 200],
    ],
    [
      [100, 110],
      [120, 150],
      [500, 600],
    ],
  ],
  ['all', [[0, 1000]], []],
])('without %s', (_what, gone, left) => {
  const spans = gone.map(([start, end]) => ({ start, end }))
  expect(spansWithout(yard, spans)).toEqual(left.map(([start, end]) => ({ start, end })))
})
