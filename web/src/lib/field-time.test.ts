import { beforeAll, describe, expect, test } from 'vitest'
import { fieldMoment, fieldText } from './field-time.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const at = (iso: string) => Date.parse(iso) / 1000
const first = at('2026-10-25T02:30:00+02:00')
const second = at('2026-10-25T02:30:00+01:00')

test('a field shows the local time, to the second', () => {
  expect([first, second, at('2026-07-01T12:00:05.9Z')].map(fieldText)).toEqual([
    '2026-10-25T02:30:00',
    '2026-10-25T02:30:00',
    '2026-07-01T14:00:05',
  ])
})

test.each(['', '2026-10-25T', 'soon'])('an incomplete field has no moment: "%s"', (text) => {
  expect(fieldMoment(text, second)).toBeUndefined()
})

describe('in the hour that occurs twice', () => {
  test.each([
    ['first', first],
    ['second', second],
  ])('the %s occurrence, unchanged, is the same moment', (_, moment) => {
    expect(fieldMoment(fieldText(moment), moment)).toBe(moment)
  })
  test.each([
    ['a minute later', second, '2026-10-25T02:31:00', second + 60],
    ['much later', second, '2026-10-25T02:59:00', second + 29 * 60],
    ['much earlier', second, '2026-10-25T02:00:00', second - 1800],
    ['a minute later, of the first one', first, '2026-10-25T02:31:00', first + 60],
    ['much later, of the first one', first, '2026-10-25T02:59:00', first + 29 * 60],
    ['from the hour before', at('2026-10-25T01:59:00+02:00'), '2026-10-25T02:30:00', first],
    ['from the hour after', at('2026-10-25T03:00:00+01:00'), '2026-10-25T02:30:00', second],
  ])('a change stays on its side: %s', (_, near, text, moment) => {
    expect(fieldMoment(text, near)).toBe(moment)
  })
  test('a field that had no value means the first occurrence', () => {
    expect(fieldMoment(fieldText(second))).toBe(first)
  })
})

test.each([
  ['before', '2026-03-29T01:30:00+01:00'],
  ['after', '2026-03-29T03:30:00+02:00'],
])('in the hour that is skipped, the moment is an hour later, from a value %s', (_, near) => {
  expect(fieldMoment('2026-03-29T02:30:00', at(near))).toBe(at('2026-03-29T03:30:00+02:00'))
})

test('a value on the other side of a change leaves other times as they are', () => {
  expect(fieldMoment('2026-07-01T14:00:00', at('2026-12-01T12:00:00Z'))).toBe(at('2026-07-01T12:00:00Z'))
  expect(fieldMoment('2026-12-01T13:00:00', at('2026-07-01T12:00:00Z'))).toBe(at('2026-12-01T12:00:00Z'))
})
