import { describe, expect, test } from 'vitest'
import { containsTime, wallClockIn, weekdays, type WallTime, type WeeklyHours } from './hours.ts'

const at = (weekday: WallTime['weekday'], time: string): WallTime => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { weekday, minute: hours * 60 + minutes }
}
const day: WeeklyHours = { days: ['mon', 'fri'], from: 7 * 60, to: 19 * 60 }
const night: WeeklyHours = { days: ['sun'], from: 22 * 60, to: 6 * 60 }
const whole: WeeklyHours = { days: ['wed'], from: 0, to: 24 * 60 }

const none: WeeklyHours = { days: ['tue'], from: 12 * 60, to: 12 * 60 }

test.each([
  [[day], at('mon', '07:00'), true],
  [[day], at('mon', '06:59'), false],
  [[day], at('mon', '18:59'), true],
  [[day], at('mon', '19:00'), false],
  [[day], at('tue', '12:00'), false],
  [[night], at('sun', '21:59'), false],
  [[night], at('sun', '22:00'), true],
  [[night], at('mon', '05:59'), true],
  [[night], at('mon', '06:00'), false],
  [[night], at('sun', '05:00'), false],
  [[night], at('mon', '23:00'), false],
  [[whole], at('wed', '00:00'), true],
  [[whole], at('wed', '23:59'), true],
  [[whole], at('thu', '00:00'), false],
  [[none], at('tue', '12:00'), false],
  [[none], at('wed', '03:00'), false],
  [[day, night], at('mon', '05:00'), true],
  [[], at('mon', '12:00'), false],
])('[GRANT-1] %j at %j: %s', (hours, time, contains) => {
  expect(containsTime(hours, time)).toBe(contains)
})

test('[GRANT-1] hours of every day that cross midnight contain each night, and no day', () => {
  const nightly = { ...night, days: weekdays }
  for (const weekday of weekdays) {
    expect(containsTime([nightly], at(weekday, '03:00'))).toBe(true)
    expect(containsTime([nightly], at(weekday, '12:00'))).toBe(false)
  }
})

describe('[GRANT-4] the wall clock', () => {
  test.each([
    ['UTC', '2026-11-23T20:05:30Z', at('mon', '20:05')],
    ['Europe/Berlin', '2026-11-23T23:30:00Z', at('tue', '00:30')],
    ['America/New_York', '2026-11-23T04:59:59Z', at('sun', '23:59')],
    ['Asia/Kathmandu', '2026-11-23T00:00:00Z', at('mon', '05:45')],
    // The clock goes from 01:59 to 03:00.
    ['Europe/Berlin', '2026-03-29T00:59:59Z', at('sun', '01:59')],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', at('sun', '03:00')],
    // The hour from 02:00 to 03:00 is there twice.
    ['Europe/Berlin', '2026-10-25T00:30:00Z', at('sun', '02:30')],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', at('sun', '02:30')],
  ])('in %s at %s', (zone, time, shows) => {
    expect(wallClockIn(zone)(Date.parse(time))).toEqual(shows)
  })
  test('is read again every minute, also after a clock jump', () => {
    const clock = wallClockIn('UTC')
    const start = Date.parse('2026-11-23T20:05:30Z')
    expect([start, start + 60_000, start - 3_600_000].map((time) => clock(time).minute)).toEqual([1205, 1206, 1145])
  })
  test('an unknown time zone is an error', () => {
    expect(() => wallClockIn('Europe/Atlantis')).toThrow(RangeError)
  })
})
