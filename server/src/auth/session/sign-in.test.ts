import { expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { User } from '../../users/user.ts'
import type { ActiveSession, Beginning } from './sessions.ts'
import { createSignIn, type SignInDeps } from './sign-in.ts'

const token = { token: 'abc', maxAge: 60 }
const from = {
  client: { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: '', basePath: '/' },
  userAgent: 'a browser',
}
const ann = testUser('Ann')
const active = { session: { id: 's1' } } as ActiveSession<Session>

/** @param canBegin whether the user and the password are still what they were */
function world({ canBegin = true, isAccepted = true } = {}) {
  const begun: { beginning: Beginning; entry: AuditEntry | null }[] = []
  const signIn = createSignIn({
    sessions: {
      async begin(_user: User, beginning: Beginning, entry: AuditEntry | null) {
        begun.push({ beginning, entry })
        return canBegin ? active : undefined
      },
    },
    issueToken: () => token,
    settings: () => ({ session_length: 60, session_max_length: null }),
    isAccepted: () => isAccepted,
    clock: createTestClock({ now: 10_500 }),
  } as Partial<Record<keyof SignInDeps, unknown>> as SignInDeps)
  return { ...signIn, begun }
}

const failed = { code: 'login-failed', message: 'Login failed' }
const isConfirmed = true

test('[TOK-1] a user who has shown all gets a session, in whole seconds, with an audit entry', async () => {
  const { complete, begun } = world()
  expect(await complete(ann, from, { isConfirmed })).toEqual({ user: ann, active, token })
  expect(begun).toEqual([
    {
      beginning: {
        expiresAt: 70_000,
        confirmedAt: 10_500,
        isSignIn: true,
        address: '192.0.2.1',
        userAgent: 'a browser',
      },
      entry: {
        action: 'login',
        result: 'success',
        user: 'Ann',
        auth_method: 'password',
        address: '192.0.2.1',
        target: null,
      },
    },
  ])
})

test.each<[string, Partial<User>, boolean]>([
  ['is disabled', { disabled: true }, true],
  ['has expired', { expiresAt: 10_500 }, true],
  ['is not accepted by the configuration', {}, false],
])('[GRANT-4] a user who %s cannot sign in, whatever is shown', async (_what, more, isAccepted) => {
  const { complete, begun } = world({ isAccepted })
  await expect(complete({ ...ann, ...more }, from, { isConfirmed })).rejects.toMatchObject(failed)
  expect(begun).toEqual([])
})

test('[MFA-4] what was shown beyond the password is recorded, and is a confirmation only if it says so', async () => {
  const { complete, begun } = world()
  await complete(ann, from, { isConfirmed: false, detail: 'known-device' })
  expect(begun).toMatchObject([{ beginning: { confirmedAt: null, isSignIn: true }, entry: { detail: 'known-device' } }])
})

test('[TOK-7] a login fails if the password has changed since it was checked', async () => {
  const { complete } = world({ canBegin: false })
  await expect(complete(ann, from, { isConfirmed })).rejects.toMatchObject(failed)
})

test('a session that another entry covers has none', async () => {
  const { begin, begun } = world()
  expect(await begin(ann, from, { isSignIn: false })).toEqual({ user: ann, active, token })
  expect(begun).toMatchObject([{ beginning: { confirmedAt: 10_500, isSignIn: false }, entry: null }])
  expect(await world({ canBegin: false }).begin(ann, from, { isSignIn: true })).toBeUndefined()
})

test('[OIDC-4] a session of a provider’s user keeps what the provider said', async () => {
  const { begin, begun } = world()
  const atProvider = { provider: { sid: 's', token: '', idToken: '', recheckAt: 7 }, lastLogout: 3 }
  await begin(ann, from, { isSignIn: true, atProvider })
  expect(begun).toMatchObject([{ beginning: atProvider }])
})
