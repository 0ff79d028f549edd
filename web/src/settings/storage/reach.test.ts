import { expect, test } from 'vitest'
import { reachOf, type Recorded } from './reach.ts'

const camera = (name: string, more: Partial<Recorded> = {}): Recorded => ({
  camera: name,
  perDay: 10,
  days: 7,
  bytes: null,
  ...more,
})

test.each<[string, Recorded[], number, Record<string, object>]>([
  [
    'enough space for all: the retention limits them',
    [camera('a'), camera('b')],
    1000,
    { a: { days: 7, by: 'age' }, b: { days: 7, by: 'age' } },
  ],
  [
    'not enough space: all reach back equally far',
    [camera('a'), camera('b')],
    100,
    { a: { days: 5, by: 'space' }, b: { days: 5, by: 'space' } },
  ],
  [
    'a shorter retention leaves the others more space',
    [camera('a', { days: 2 }), camera('b')],
    70,
    { a: { days: 2, by: 'age' }, b: { days: 5, by: 'space' } },
  ],
  [
    'its own space limit',
    [camera('a', { bytes: 30 }), camera('b')],
    1000,
    { a: { days: 3, by: 'space' }, b: { days: 7, by: 'age' } },
  ],
  ['cameras without a known rate are left out', [camera('a', { perDay: null }), camera('b', { perDay: 0 })], 10, {}],
])('%s', (_, cameras, whole, reach) => {
  expect(Object.fromEntries(reachOf(cameras, whole))).toEqual(reach)
})
