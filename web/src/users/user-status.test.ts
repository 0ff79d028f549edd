import { expect, test } from 'vitest'
import { staysAdmin, statusOf, type UserStatus } from './user-status.ts'

const noon = '2027-03-01T12:00:00.000Z'
const at = Date.parse(noon)

test.each<[what: string, disabled: boolean, end: string | null, now: number, status: UserStatus]>([
  ['neither disabled nor limited', false, null, at, 'enabled'],
  ['before the end', false, noon, at - 1, 'expiring'],
  ['at the end', false, noon, at, 'expired'],
  ['disabled', true, null, at, 'disabled'],
  ['disabled and expired', true, noon, at, 'disabled'],
])('[USER-6] the status of a user: %s', (_what, disabled, end, now, status) => {
  expect(statusOf({ disabled, expires_at: end }, now)).toBe(status)
})

const provider = { issuer: 'https://id.example', subject: 's1' }

test.each<[what: string, role: string, disabled: boolean, end: string | null, stays: boolean]>([
  ['an admin', 'admin', false, null, true],
  ['a viewer', 'viewer', false, null, false],
  ['a disabled admin', 'admin', true, null, false],
  ['an admin who expires', 'admin', false, noon, false],
])('[USER-6] an admin on whom others can rely: %s', (_what, role, disabled, end, stays) => {
  expect(staysAdmin({ role, disabled, expires_at: end, provider: null })).toBe(stays)
  expect(staysAdmin({ role, disabled, expires_at: end, provider })).toBe(false)
})
