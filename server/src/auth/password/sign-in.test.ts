import { expect, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { fakeAccountStore } from '../../../test/support/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import type { PasswordCheck } from '../../users/password/password.ts'
import type { Passwords } from '../../users/password/passwords.ts'
import type { User } from '../../users/user.ts'
import type { ActiveSession, Beginning, Sessions } from '../session/sessions.ts'
import { createSignIn } from './sign-in.ts'

const token = { token: 'abc', maxAge: 60 }
const from = {
  client: { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: '', basePath: '/' },
  userAgent: 'a browser',
}

async function world(isAccepted = true) {
  const clock = createTestClock({ now: 10_500 })
  const store = fakeAccountStore()
  const ann = newUser({ name: 'Ann', role: 'viewer', hash: 'old hash', origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry, 0)
  const permits: string[] = []
  const begun: { beginning: Beginning; entry: AuditEntry | null }[] = []
  let canBegin = true
  const hashes: (string | undefined)[] = []
  const check = vi.fn(async (...[password, stored]: Parameters<Passwords['check']>): Promise<PasswordCheck> => {
    hashes.push(await stored())
    if (hashes.at(-1) === undefined) return 'wrong'
    return password === 'right' ? 'right' : password === 'weak' ? 'weak' : 'wrong'
  })
  const hash = vi.fn(async () => 'new hash')
  const live = { session: { id: 's1' } } as ActiveSession
  const lookups = vi.fn(store.userByKey)
  const signIn = createSignIn({
    store: { ...store, userByKey: lookups },
    sessions: {
      begin: async (_user, beginning, entry) => {
        begun.push({ beginning, entry })
        return canBegin ? live : undefined
      },
    } as Partial<Sessions> as Sessions,
    issueToken: () => token,
    limit: {
      acquire: async (address) => {
        permits.push(`acquire ${address}`)
        return { fail: () => void permits.push('fail'), release: () => void permits.push('release') }
      },
    },
    passwords: { check, hash, stop: async () => undefined },
    knownAddresses: { has: (address) => address === '192.0.2.9' },
    settings: () => ({ session_length: 60, session_max_length: null }),
    isAccepted: () => isAccepted,
    clock,
    log: silent,
  })
  const stored = async () => (await store.userByKey('ann'))!
  return {
    ...signIn,
    ann,
    live,
    permits,
    begun,
    check,
    hashes,
    lookups,
    hash,
    stored,
    refuse: () => void (canBegin = false),
    become: (more: Partial<User>) => void store.rows.users.set('ann', { ...ann, ...more }),
  }
}

const noMore = () => Promise.resolve({ isConfirmed: true })
const more = () => Promise.reject(new ServiceError('second-factor-required'))

const failed = { code: 'login-failed', message: 'Login failed' }
const passed = ['acquire 192.0.2.1', 'release']
const counted = ['acquire 192.0.2.1', 'fail', 'release']

test('[TOK-1] the right password starts a session, in whole seconds, with an audit entry', async () => {
  const { withPassword, ann, live, permits, begun, stored } = await world()
  expect(await withPassword('ANN', 'right', from, noMore)).toEqual({ user: ann, live, token })
  expect(permits).toEqual(passed)
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
  expect((await stored()).passwordHash).toBe('old hash')
})

test.each([
  ['a wrong password', 'ann', 'wrong', 'old hash'],
  ['an unknown user', 'eve', 'right', undefined],
  ['a text that isn’t a name', 'a:b', 'right', undefined],
])('[RATE-7] %s fails and counts, with one password check', async (_what, name, password, hash) => {
  const { withPassword, permits, begun, check, hashes } = await world()
  await expect(withPassword(name, password, from, noMore)).rejects.toMatchObject(failed)
  expect([permits, begun]).toEqual([counted, []])
  expect(check.mock.calls.map(([checked, , origin]) => [checked, origin])).toEqual([[password, 'unknown']])
  expect(hashes).toEqual([hash])
})

test('[RATE-7] the check of a user who is signed in, or at a known address, goes first', async () => {
  const { withPassword, isPasswordOf, ann, check } = await world()
  const { client } = from
  await withPassword('ann', 'right', { ...from, client: { ...client, address: '192.0.2.9' } }, noMore)
  await isPasswordOf(ann, 'right', '192.0.2.1')
  expect(check.mock.calls.map(([, , origin]) => origin)).toEqual(['trusted', 'trusted'])
})

test('no one signs in whose name is unknown, whatever the password check says', async () => {
  const { withPassword, check } = await world()
  check.mockResolvedValue('right')
  await expect(withPassword('eve', 'right', from, noMore)).rejects.toMatchObject(failed)
})

test.each<[string, Partial<User>, boolean]>([
  ['is disabled', { disabled: true }, true],
  ['has expired', { expiresAt: 10_500 }, true],
  ['is not accepted by the configuration', {}, false],
])('[GRANT-4] a user who %s cannot sign in, whatever is shown', async (_what, more, isAccepted) => {
  const { withPassword, complete, ann, begun, become, permits } = await world(isAccepted)
  become(more)
  const ask = vi.fn(noMore)
  await expect(withPassword('ann', 'right', from, ask)).rejects.toMatchObject(failed)
  await expect(complete({ ...ann, ...more }, from, { isConfirmed: true })).rejects.toMatchObject(failed)
  // The password was right, and no second factor is requested.
  expect([begun, ask.mock.calls, permits]).toEqual([[], [], passed])
})

test('[MFA-4] what was shown beyond the password is recorded, and is a confirmation only if it says so', async () => {
  const { withPassword, begun } = await world()
  await withPassword('ann', 'right', from, async () => ({ isConfirmed: false, detail: 'known-device' }))
  expect(begun).toMatchObject([{ beginning: { confirmedAt: null, isSignIn: true }, entry: { detail: 'known-device' } }])
})

test('[OIDC-1] a user of an identity provider has no password', async () => {
  const { withPassword, hashes, become } = await world()
  become({ provider: { issuer: 'https://id.example', subject: 'ann', recheckAt: 0 } })
  await expect(withPassword('ann', 'right', from, noMore)).rejects.toMatchObject(failed)
  expect(hashes).toEqual([undefined])
})

test('[TOK-7] a login fails if the password changes while it is checked', async () => {
  const { withPassword, refuse, stored } = await world()
  refuse()
  await expect(withPassword('ann', 'right', from, noMore)).rejects.toMatchObject(failed)
  expect((await stored()).lastLoginAt).toBeNull()
})

test('[USER-3] a hash with too few iterations is replaced after the login, and a failure changes nothing', async () => {
  const { withPassword, hash, stored } = await world()
  hash.mockRejectedValueOnce(new ServiceError('busy'))
  await withPassword('ann', 'weak', from, noMore)
  await new Promise(setImmediate)
  expect((await stored()).passwordHash).toBe('old hash')
  await withPassword('ann', 'weak', from, noMore)
  await vi.waitFor(async () => expect((await stored()).passwordHash).toBe('new hash'), 20_000)
})

test('[USER-3] [MFA-3] a hash with too few iterations is replaced although a second factor is still asked for', async () => {
  const { withPassword, stored } = await world()
  await expect(withPassword('ann', 'wrong', from, more)).rejects.toMatchObject(failed)
  await new Promise(setImmediate)
  expect((await stored()).passwordHash).toBe('old hash')
  await expect(withPassword('ann', 'weak', from, more)).rejects.toMatchObject({ code: 'second-factor-required' })
  await vi.waitFor(async () => expect((await stored()).passwordHash).toBe('new hash'), 20_000)
})

test.each<[string, boolean, string[]]>([
  ['right', true, passed],
  ['weak', true, passed],
  ['wrong', false, counted],
])('[RATE-2] the current password of a signed-in user: %s is %s', async (password, isRight, permitted) => {
  const { isPasswordOf, ann, permits } = await world()
  expect(await isPasswordOf(ann, password, '192.0.2.1')).toBe(isRight)
  expect(permits).toEqual(permitted)
})

test('[RATE-7] a check that cannot run counts as no failure, and makes room for the next one', async () => {
  const { withPassword, isPasswordOf, ann, permits, check } = await world()
  check.mockRejectedValue(new ServiceError('busy'))
  await expect(withPassword('ann', 'right', from, noMore)).rejects.toMatchObject({ code: 'busy' })
  await expect(isPasswordOf(ann, 'right', '192.0.2.1')).rejects.toMatchObject({ code: 'busy' })
  expect(permits).toEqual([...passed, ...passed])
})

test('[RATE-7] a login that gets no turn causes no lookup', async () => {
  const { withPassword, check, lookups } = await world()
  check.mockRejectedValue(new ServiceError('busy'))
  await expect(withPassword('Ann', 'right', from, noMore)).rejects.toMatchObject({ code: 'busy' })
  expect(lookups).not.toHaveBeenCalled()
})

test('a session without a password check has no entry', async () => {
  const { begin, ann, live, begun, refuse } = await world()
  expect(await begin(ann, from, { isSignIn: false })).toEqual({ user: ann, live, token })
  expect(begun).toMatchObject([{ beginning: { confirmedAt: 10_500, isSignIn: false }, entry: null }])
  refuse()
  expect(await begin(ann, from, { isSignIn: true })).toBeUndefined()
})
