import { beforeAll, expect, test } from 'vitest'
import { boundsOf, dayAround, dayLabel, dayOf, isDay, sameTimeOn, sameTimeOnDay, startOf } from './day.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const at = (iso: string) => Date.parse(iso) / 1000
const hours = (name: string) => {
  const { from, to } = dayAround(startOf(name)!)
  return (to - from) / 3600
}

test('a day has 24 hours, or 23 or 25 when the clocks change', () => {
  expect(['2026-11-21', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25])
})

test('a day begins at local midnight', () => {
  expect(dayAround(at('2026-11-21T23:30:00Z')).from).toBe(at('2026-11-21T23:00:00Z'))
  expect(dayAround(at('2026-07-01T21:59:59Z')).to).toBe(at('2026-07-01T22:00:00Z'))
})

test('the hour that occurs twice belongs to one day', () => {
  const [first, second] = [at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')]
  expect(dayAround(first)).toEqual(dayAround(second))
  expect([first, second].map(dayOf)).toEqual(['2026-10-25', '2026-10-25'])
})

test('the next day at the same time, even when the clocks change', () => {
  expect(sameTimeOn(at('2026-10-24T12:00:00+02:00'), 1)).toBe(at('2026-10-25T12:00:00+01:00'))
  expect(sameTimeOn(at('2026-11-01T00:10:00+01:00'), -1)).toBe(at('2026-10-31T00:10:00+01:00'))
})

test.each([
  ['of the autumn change to one before it', '2026-10-25T23:30:00+01:00', '2026-10-20T23:30:00+02:00'],
  ['before the spring change to that of it', '2026-03-28T23:30:00+01:00', '2026-03-29T23:30:00+02:00'],
  ['of the autumn change to the one before', '2026-10-25T14:00:00+01:00', '2026-10-24T14:00:00+02:00'],
  ['of the spring change to the one after', '2026-03-29T14:00:00.250+02:00', '2026-03-30T14:00:00.250+02:00'],
  ['to itself, in the hour that occurs twice', '2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00+01:00'],
])('the time of day stays the same from the day %s', (_, from, to) => {
  expect(sameTimeOnDay(at(from), dayOf(at(to)))).toBe(at(to))
})

test('an invalid name has no start, and no time of day', () => {
  expect(sameTimeOnDay(at('2026-10-25T12:00:00Z'), 'soon')).toBeUndefined()
  expect(startOf('soon')).toBeUndefined()
})

test.each([
  ['2026-11-21', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['21.11.2026', false],
  ['', false],
])('%s is a valid day: %s', (text, is) => {
  expect(isDay(text)).toBe(is)
})

test.each([
  ['2026-11-21', 24],
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s lasts %i hours in the local time zone', (day, hours) => {
  const { after, before } = boundsOf(day)
  expect((before - after) / 3600).toBe(hours)
  expect(dayOf(after)).toBe(day)
  expect(dayOf(before - 1)).toBe(day)
  expect(dayOf(before)).not.toBe(day)
})

test('today and yesterday have names, even when the clocks change', () => {
  const noon = boundsOf('2026-10-25').after + 13 * 3600
  expect(dayLabel('2026-10-25', noon, 'en-GB')).toBe('Today')
  expect(dayLabel('2026-10-24', noon, 'de')).toBe('Gestern')
  expect(dayLabel('2026-10-24', boundsOf('2026-10-25').before + 3600, 'en-GB')).toContain('24 October 2026')
})
