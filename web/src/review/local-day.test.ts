import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundsOf, dayName, dayOf, isDay } from './local-day.ts'

const before = process.env['TZ']
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})
afterAll(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
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
  expect(dayName('2026-10-25', noon, 'en-GB')).toBe('Today')
  expect(dayName('2026-10-24', noon, 'de')).toBe('Gestern')
  expect(dayName('2026-10-24', boundsOf('2026-10-25').before + 3600, 'en-GB')).toContain('24 October 2026')
})
