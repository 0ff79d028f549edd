import { beforeAll, describe, expect, test } from 'vitest'
import { dayAround } from '../../lib/day.ts'
import { adjacentDay, monthsUntil, summaryRange } from './recorded-days.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const at = (iso: string) => Date.parse(iso) / 1000
const iso = (times: readonly number[]) => times.map((each) => new Date(each * 1000).toISOString())
const local = (year: number, month: number, date: number) => new Date(year, month, date).getTime() / 1000
const months = [2026, 2028].flatMap((year) => Array.from({ length: 12 }, (_, month) => [year, month] as const))

describe.each(months)('the summary of %i, month %i (from 0)', (year, month) => {
  const first = () => local(year, month, 1)
  const next = () => local(year, month + 1, 1)

  test('covers a week before the month and a week after it', () => {
    const { from, to } = summaryRange(first())
    expect(from).toBeLessThanOrEqual(local(year, month, 1 - 7))
    expect(to).toBeGreaterThanOrEqual(local(year, month + 1, 1 + 7))
  })
  test('is as long as the service allows, in whole days', () => {
    const { from, to } = summaryRange(first())
    expect((to - from) / 86_400).toBeLessThanOrEqual(62)
    expect([from, to].map((each) => dayAround(each).from)).toEqual([from, to])
  })
  test('is the same for every time of the month', () => {
    expect(summaryRange(next() - 1)).toEqual(summaryRange(first()))
    expect(summaryRange(next())).not.toEqual(summaryRange(first()))
  })
  test('leaves no day out before the summary of the next month', () => {
    expect(summaryRange(next()).from).toBeLessThan(summaryRange(first()).to)
  })
})

test('months after a time and before it, up to another time', () => {
  expect(iso(monthsUntil(at('2026-08-31T22:30:00Z'), at('2026-11-27T10:00:00Z')))).toEqual([
    '2026-09-30T22:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
  ])
  expect(iso(monthsUntil(at('2027-01-31T12:00:00Z'), at('2026-11-27T10:00:00Z')))).toEqual([
    '2026-11-30T23:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
  ])
  expect(monthsUntil(at('2026-11-01T12:00:00Z'), at('2026-11-27T10:00:00Z'))).toEqual([])
})

test('the days with recordings beside a day', () => {
  const days = ['2026-08-30', '2026-08-31', '2026-09-01']
  expect(adjacentDay(days, at('2026-08-31T20:10:00Z'), 1)).toBe('2026-09-01')
  expect(adjacentDay(days, at('2026-08-31T20:10:00Z'), -1)).toBe('2026-08-30')
  expect(adjacentDay(days, at('2026-09-01T20:10:00Z'), 1)).toBeUndefined()
  expect(adjacentDay(days, at('2026-08-30T20:10:00Z'), -1)).toBeUndefined()
})
