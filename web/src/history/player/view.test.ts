import { beforeAll, expect, test } from 'vitest'
import { dayAround, startOf } from '../../lib/day.ts'
import { firstView, narrowest, panned, showing, ticksFor, ticksIn, zoomed } from './view.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const day = { from: 0, to: 86_400 }

test('zooming keeps the time under the pointer in place', () => {
  expect(zoomed(day, day, 0.5, 43_200)).toEqual({ from: 21_600, to: 64_800 })
  expect(zoomed(day, day, 0.5, 0)).toEqual({ from: 0, to: 43_200 })
})

test('the view spans at least ten minutes and at most the day', () => {
  const min = zoomed(day, day, 0.0001, 40_000)
  expect(min.to - min.from).toBe(narrowest)
  expect(zoomed(min, day, 1e9, 40_000)).toEqual(day)
})

test('a view never leaves its day', () => {
  expect(panned({ from: 0, to: 3600 }, day, -500)).toEqual({ from: 0, to: 3600 })
  expect(panned({ from: 80_000, to: 83_600 }, day, 9999)).toEqual({ from: 82_800, to: 86_400 })
})

test('the playback time stays in view', () => {
  const view = { from: 3600, to: 7200 }
  const near = { view, away: false }
  expect(showing(near, day, 5000)).toBe(view)
  expect(showing(near, day, 9000)).toEqual({ from: 7200, to: 10_800 })
  expect(showing(near, { from: 86_400, to: 172_800 }, 90_000)).toEqual({ from: 86_400, to: 172_800 })
})

test('the first hour of recordings fills the view; later, the whole day is shown', () => {
  expect(firstView(day, 40_000, 40_600)).toEqual({ from: 40_600 - 3240, to: 40_600 + 360 })
  expect(firstView(day, 10, 600)).toEqual({ from: 0, to: 3600 })
  expect(firstView(day, 30_000, 40_000)).toBe(day)
  expect(firstView(day, 86_000, 90_000)).toBe(day)
  expect(firstView(day, undefined, 40_000)).toBe(day)
})

test('a view the user moved stays until the day changes', () => {
  const current = { view: { from: 3600, to: 7200 }, away: true }
  expect(showing(current, day, 9000)).toBe(current.view)
  const next = { from: 86_400, to: 172_800 }
  expect(showing(current, next, 90_000)).toBe(next)
})

const clock = (at: number) => new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(at * 1000)

test.each([
  ['2026-11-21', ['00:00', '06:00', '12:00', '18:00']],
  // In spring 02:00 does not exist, in autumn it occurs twice.
  ['2026-03-29', ['00:00', '06:00', '12:00', '18:00']],
  ['2026-10-25', ['00:00', '06:00', '12:00', '18:00']],
])('the ticks of %s are at round times', (name, times) => {
  expect(ticksIn(dayAround(startOf(name)!), 5).map(clock)).toEqual(times)
})

test('there are as many ticks as their labels have room for', () => {
  const words = { hour: 36, time: 56 }
  const phone = ticksFor(dayAround(startOf('2026-11-21')!), 328, words)
  expect(phone.at.map(clock)).toEqual(['00:00', '04:00', '08:00', '12:00', '16:00', '20:00'])
  expect(phone).toMatchObject({ hourly: true, words: 36 })
  const near = ticksFor({ from: startOf('2026-11-21')! + 36_000, to: startOf('2026-11-21')! + 38_700 }, 328, words)
  expect(near.at.map(clock)).toEqual(['10:00', '10:10', '10:20', '10:30', '10:40'])
  expect(near).toMatchObject({ hourly: false, words: 56 })
})
