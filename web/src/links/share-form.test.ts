import { expect, test } from 'vitest'
import { expiryProblem, firstValues, isCodeShort, newLinkOf, offeredHours, type ShareValues } from './share-form.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
/** Hours. */
const max = 720
const values = firstValues(max)
const live = { kind: 'live', camera: 'yard' } as const

test.each<[what: string, of: Partial<ShareValues>, problem: string | undefined]>([
  ['an offered expiry', { expires: '24' }, undefined],
  ['an empty field', { expires: 'custom', expires_at: '' }, 'missing'],
  ['a day without a time', { expires: 'custom', expires_at: '2026-03-0' }, 'missing'],
  ['a time that has passed', { expires: 'custom', expires_at: '2025-03-01T12:00' }, 'past'],
  ['a time to come', { expires: 'custom', expires_at: '2026-03-03T12:00' }, undefined],
  ['the last time that is allowed', { expires: '720' }, undefined],
  ['a time later than that', { expires: 'custom', expires_at: '2026-04-03T12:00' }, 'late'],
])('[LINK-1] %s', (_, of, problem) => expect(expiryProblem({ ...values, ...of }, now, max)).toBe(problem))

test.each([
  [720, [1, 24, 168], '24'],
  [168, [1, 24, 168], '24'],
  [48, [1, 24, 48], '24'],
  [24, [1, 24], '24'],
  [6, [1, 6], '6'],
  [1, [1], '1'],
])('[LINK-1] with at most %d hours, %j are offered, and %s selected', (hours, offered, selected) => {
  expect(offeredHours(hours)).toEqual(offered)
  expect(firstValues(hours).expires).toBe(selected)
})

test.each([
  ['', false],
  ['  ', false],
  ['12', true],
  [' 12345 ', true],
  ['123456', false],
])('the code %j is too short: %s', (code, short) => expect(isCodeShort({ ...values, code })).toBe(short))

test('empty fields are left out of the request', () => {
  expect(newLinkOf(live, values, now)).toEqual({
    ...live,
    expires_at: '2026-03-02T12:00:00.000Z',
    audio: false,
    download: false,
  })
})

test('everything else is in it, trimmed', () => {
  const all = {
    ...values,
    audio: true,
    download: true,
    code: ' 4711-b ',
    max_opens: 3,
    max_viewers: 2,
    note: ' police ',
  }
  const range = { kind: 'history', camera: 'yard', start: 1000, end: 1060 } as const
  expect(newLinkOf(range, all, now)).toMatchObject({
    ...range,
    audio: true,
    download: true,
    code: '4711-b',
    max_opens: 3,
    max_viewers: 2,
    note: 'police',
  })
})

test('live video has no download', () => {
  expect(newLinkOf(live, { ...values, download: true }, now).download).toBe(false)
})
