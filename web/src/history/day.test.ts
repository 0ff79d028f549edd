import { beforeAll, expect, test } from 'vitest'
import { dayAround, dayName, dayNamed, sameTimeOn } from './day.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const at = (iso: string) => Date.parse(iso) / 1000
const hours = (name: string) => {
  const { from, to } = dayAround(dayNamed(name)!)
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
  expect([first, second].map(dayName)).toEqual(['2026-10-25', '2026-10-25'])
})

test('the next day at the same time, even when the clocks change', () => {
  expect(sameTimeOn(at('2026-10-24T12:00:00+02:00'), 1)).toBe(at('2026-10-25T12:00:00+01:00'))
  expect(sameTimeOn(at('2026-11-01T00:10:00+01:00'), -1)).toBe(at('2026-10-31T00:10:00+01:00'))
})

test('an invalid name has no start', () => {
  expect(dayNamed('soon')).toBeUndefined()
})
