import { expect, test } from 'vitest'
import { daysOf } from './days.ts'

const hour = 3_600_000

test.each([
  ['UTC', '2026-11-20T22:00Z', '2026-11-22T01:00Z', ['2026-11-20 2', '2026-11-21 24', '2026-11-22 1']],
  ['Europe/Berlin', '2026-11-20T22:00Z', '2026-11-21T23:30Z', ['2026-11-20 1', '2026-11-21 24', '2026-11-22 0.5']],
  ['Asia/Kathmandu', '2026-11-20T18:00Z', '2026-11-20T19:00Z', ['2026-11-20 0.25', '2026-11-21 0.75']],
  ['Europe/Berlin', '2026-03-28T23:00Z', '2026-03-30T01:00Z', ['2026-03-29 23', '2026-03-30 3']],
  ['Europe/Berlin', '2026-10-24T22:00Z', '2026-10-26T00:00Z', ['2026-10-25 25', '2026-10-26 1']],
  ['Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-05T14:00Z', ['2026-04-05 24.5', '2026-04-06 0.5']],
  ['UTC', '2026-11-20T10:00Z', '2026-11-20T10:00Z', []],
])('days of %s from %s to %s', (zone, after, before, expected) => {
  const { names, edges } = daysOf(Date.parse(after), Date.parse(before), zone)
  expect(names.map((name, each) => `${name} ${(edges[each + 1]! - edges[each]!) / hour}`)).toEqual(expected)
})
