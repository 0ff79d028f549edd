import { expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import type { User } from '../../users/user.ts'
import { warnAboutEmergencyUser } from './emergency-user.ts'

const oidc = { issuer: 'https://id.lan', only: true, emergency_user: 'Root' }
const admin = testUser('root', { role: 'admin' })

test.each<
  [
    what: string,
    settings: Partial<typeof oidc> | { emergency_user: null },
    user: User | undefined | Error,
    isWarning: boolean,
  ]
>([
  ['an admin', {}, admin, false],
  ['a viewer', {}, testUser('root'), true],
  ['no user', {}, undefined, true],
  ['a name that no user can have', { emergency_user: 'no name' }, admin, true],
  ['not configured', { emergency_user: null }, undefined, false],
  ['not needed', { only: false }, undefined, false],
  ['unknown while the database is unavailable', {}, new Error('no database'), false],
])('[OIDC-1] the emergency user is %s', async (_what, settings, user, isWarning) => {
  const warnings: unknown[] = []
  const store = {
    async userByKey(key: string) {
      if (user instanceof Error) throw user
      // As the database, it has no query for an undefined key.
      return key.trim() === 'root' ? user : undefined
    },
  }
  const all = { ...oidc, ...settings }
  await warnAboutEmergencyUser(all, store, { warn: (values) => void warnings.push(values) })
  expect(warnings).toEqual(isWarning ? [{ user: all.emergency_user, setting: 'auth.oidc.emergency_user' }] : [])
})
