import { expect, it } from 'vitest'
import type { ServiceError } from '../errors.ts'
import { momentIn } from './moment.ts'

it.each([
  ['2026-11-23T12:00:00Z', Date.UTC(2026, 10, 23, 12)],
  ['2026-11-23t12:00:00.25z', Date.UTC(2026, 10, 23, 12, 0, 0, 250)],
  ['2026-11-23T12:00:00+01:00', Date.UTC(2026, 10, 23, 11)],
] as const)('%s is a time', (text, at) => {
  expect(momentIn('at', text)).toBe(at)
})

it.each([
  ['', 'empty'],
  ['2026-11-23', 'no time of day'],
  ['2026-11-23T12:00:00', 'no time zone'],
  ['2026-12-31T23:59:60Z', 'a leap second'],
  ['2026-11-23T12:00:00Z[Europe/Berlin]', 'a zone in brackets'],
  ['2026-13-01T12:00:00Z', 'a thirteenth month'],
  ['Mon, 23 Nov 2026 12:00:00 GMT', 'the time of a mail'],
] as const)('[ERR-3] "%s" isn’t a time: %s', (text, _why) => {
  expect(() => momentIn('expires_at', text)).toThrow(
    expect.objectContaining({
      code: 'invalid-request',
      problems: [expect.objectContaining({ field: 'expires_at', code: 'invalid-format' })],
    }) as ServiceError,
  )
})
