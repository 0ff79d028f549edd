import { expect, test } from 'vitest'
import {
  confirmationLifetime,
  mustDeclareConfirm,
  needsConfirmation,
  type Confirm,
  type Confirmed,
} from './confirmation.ts'
import type { AccessRule } from './rule.ts'

const now = 10 * confirmationLifetime
const at = (time: number | null, hasFactor = true): Confirmed => ({ at: time, hasFactor })

test.each<[string, Confirm | undefined, Confirmed | undefined, boolean]>([
  ['a route that declares nothing', undefined, at(null), false],
  ['a route that never asks', { never: 'it only reads' }, at(null), false],
  ['the confirmation itself', 'itself', at(null), false],
  ['a caller without a session', true, undefined, false],
  ['a caller without a session, always', 'always', undefined, false],
  ['a user without a factor', true, at(null, false), false],
  ['a user without a factor, always', 'always', at(null, false), true],
  ['a user without a factor who confirmed, always', 'always', at(now, false), false],
  ['one who never confirmed', true, at(null), true],
  ['one who confirmed now', true, at(now), false],
  ['one who confirmed later than now', true, at(now + 1), true],
  ['one who confirmed just within the time', true, at(now - confirmationLifetime + 1), false],
  ['one who confirmed too long ago', true, at(now - confirmationLifetime), true],
])('[MFA-4] %s: has to confirm: %s', (_who, confirm, confirmed, needs) => {
  expect(needsConfirmation(confirm, confirmed, now)).toBe(needs)
})

const own = { of: 'path', name: 'id', find: async () => undefined } as const

test.each<[AccessRule, boolean]>([
  [{ service: 'users.manage', about: 'no-camera' }, true],
  [{ account: true }, true],
  [{ own, or: 'users.manage' }, true],
  [{ camera: 'share', of: 'path' }, true],
  [{ camera: 'history', of: 'path', own, or: 'exports.manage' }, false],
  [{ camera: 'live', of: 'path' }, false],
  [{ cameras: 'live' }, false],
  [{ signedIn: true }, false],
  [{ open: 'login page' }, false],
])('[MFA-4] a change with the rule %o has to declare whether it is confirmed: %s', (rule, has) => {
  expect(mustDeclareConfirm(rule)).toBe(has)
})
