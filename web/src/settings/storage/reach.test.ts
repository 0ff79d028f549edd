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
    'room for all: age ends them',
    [camera('a'), camera('b')],
    1000,
    { a: { days: 7, by: 'age' }, b: { days: 7, by: 'age' } },
  ],
  [
    'too much together: all reach back as far',
    [camera('a'), camera('b')],
    100,
    { a: { days: 5, by: 'space' }, b: { days: 5, by: 'space' } },
  ],
  [
    'one that is ended sooner leaves the others more',
    [camera('a', { days: 2 }), camera('b')],
    70,
    { a: { days: 2, by: 'age' }, b: { days: 5, by: 'space' } },
  ],
  [
    'space of its own',
    [camera('a', { bytes: 30 }), camera('b')],
    1000,
    { a: { days: 3, by: 'space' }, b: { days: 7, by: 'age' } },
  ],
  ['nothing is known of one', [camera('a', { perDay: null }), camera('b', { perDay: 0 })], 10, {}],
])('%s', (_, cameras, whole, reach) => {
  expect(Object.fromEntries(reachOf(cameras, whole))).toEqual(reach)
})
