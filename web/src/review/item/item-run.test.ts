import { expect, test } from 'vitest'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import { afterItemEvent, itemRunOf, shareOf, type ItemRun, type ItemRunEvent } from './item-run.ts'

const item: ReviewItemResponse = {
  id: 'one',
  camera: 'yard',
  severity: 'alert',
  start: 1000,
  end: 1010,
  seen: false,
  thumbnail: null,
  data: { motion: 12, box: null },
}
const open = { ...item, end: null }
const fresh = itemRunOf(item, 5000)

test('an item plays from a little before its start to a little after its end', () => {
  expect(fresh).toMatchObject({ from: 996, to: 1014, place: { at: 996 }, playing: true, over: false, at: undefined })
  expect(itemRunOf(open, 1100).to).toBe(1104)
})

const played: ItemRun = { ...fresh, playing: false, over: true, at: 1014 }

test.each<[what: string, run: ItemRun, event: ItemRunEvent, expected: Partial<ItemRun>]>([
  ['a time', fresh, { type: 'time', at: 1003 }, { at: 1003, playing: true }],
  ['a pause', fresh, { type: 'toggle' }, { playing: false, over: false, place: fresh.place }],
  ['a resumption', { ...fresh, playing: false }, { type: 'toggle' }, { playing: true, place: fresh.place }],
  ['the end', fresh, { type: 'end' }, { playing: false, over: true }],
  ['a repetition', played, { type: 'toggle' }, { playing: true, over: false, place: { at: 996 } }],
  ['the loss of access', fresh, { type: 'access-lost' }, { accessLost: true }],
  ['the next item', played, { type: 'item', item: { ...item, id: 'two' }, now: 1 }, { ...fresh, id: 'two' }],
  [
    'the end of an item that was open',
    { ...itemRunOf(open, 1100), at: 1001 },
    { type: 'item', item: { ...item, end: 1200 }, now: 1300 },
    { to: 1204, at: 1001, playing: true },
  ],
  [
    'a new version of an open item',
    itemRunOf(open, 1100),
    { type: 'item', item: open, now: 1300 },
    // The range doesn't move below the user's eyes.
    { to: 1104 },
  ],
])('after %s', (_what, run, event, expected) => {
  expect(afterItemEvent(run, event)).toMatchObject(expected)
})

test('playing again seeks, even to the same time', () => {
  expect(afterItemEvent(played, { type: 'toggle' }).place).not.toBe(played.place)
})

test.each([
  [996, 0],
  [1005, 50],
  [1014, 100],
  [900, 0],
  [2000, 100],
])('%d is at %d percent', (at, percent) => {
  expect(shareOf(fresh, at)).toBe(percent)
})
