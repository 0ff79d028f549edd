import { requestMeta } from '../../../../test/support/request-meta.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../../test/support/test-user.ts'
import { unauthenticated } from '../../../access/identity.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input } from '../../../http/route.ts'
import { systemRandom } from '../../../shared/random.ts'
import type { User } from '../../../users/user.ts'
import type { Failure } from '../../session/sign-in.ts'
import { hashOfSecret } from '../../link-secret.ts'
import { loginFactorRoutes, type LoginFactorRoutesDeps } from './login-factor.routes.ts'
import type { FactorKind, Proof, SecondFactor } from '../second-factor.ts'

const now = 1_700_000_000_000
const address = '192.0.2.7'
const ann = testUser('ann', { hasFactor: true, credentialVersion: 4 })
const client = { address, encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const party = { id: 'here', origin: 'https://here' }
const assertion = {} as NonNullable<Proof['assertion']>
const token = { token: 'abc', maxAge: 60 }

/** The user of the ticket. */
let waiting: User | undefined
let kind: FactorKind | undefined
let isTicketFresh: boolean
/** Whose passkey answers. */
let passkeyOf: string | undefined
let row: User | undefined
let permits: unknown[]
let checked: unknown[]
let signedIn: unknown[]
let failures: Failure[]
let remembered: unknown[]
let isStored: boolean
beforeEach(() => {
  waiting = ann
  kind = 'totp'
  isTicketFresh = true
  passkeyOf = ann.id
  row = ann
  permits = []
  checked = []
  signedIn = []
  failures = []
  remembered = []
  isStored = true
})

const deps = {
  store: { rememberDevice: async (...of: unknown[]) => remembered.push(of) > 0 && isStored },
  accounts: { userById: async (id: string) => (row?.id === id ? row : undefined) },
  signIn: {
    async run(_caller: Caller, failure: Failure, signIn: (from: object) => Promise<object>) {
      failures.push(failure)
      return signIn({ client })
    },
    async complete(user: User, _from: unknown, proof: object) {
      signedIn.push([user.key, proof])
      return { user, token, active: { expiresAt: now + 1000 } }
    },
  },
  loginFactor: {
    userOf: async (ticket: string) => (ticket === 'ticket' ? waiting : undefined),
    use: async (ticket: string) => ticket === 'ticket' && isTicketFresh,
  },
  secondFactor: {
    async check(...[{ key }, proof, occasion, entry, claim]: Parameters<SecondFactor['check']>) {
      checked.push([key, proof, occasion, entry.action, entry.auth_method])
      if (kind) await claim?.()
      return kind
    },
  },
  passkeys: {
    requestOptions: async (occasion: unknown, user: User | undefined) => ({ occasion, key: user?.key }),
    async verify(_assertion: unknown, occasion: unknown) {
      checked.push(occasion)
      return passkeyOf === undefined ? undefined : { userId: passkeyOf }
    },
  },
  limit: {
    async acquire(from: string) {
      permits.push(from)
      return { fail: () => void permits.push('failed'), release: () => void permits.push('released') }
    },
  },
  settings: () => ({ mfa: { required_for: [], origins: [] } }),
  clock: { now: () => now },
  random: systemRandom,
} as unknown as LoginFactorRoutesDeps

interface Parts {
  readonly body: unknown
  readonly session: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const meta = requestMeta({ 'user-agent': 'a browser' })
async function call(path: string, body: object, more: object = {}): Promise<Parts> {
  const { handle } = loginFactorRoutes(deps).find((route) => route.path === path)!
  const caller = { identity: unauthenticated, client: { ...client, ...more }, meta } as unknown as Caller
  const result = (await handle!({ body } as Input<never>, caller)) as { parts?: Parts } & Parts
  return result.parts ?? result
}
const expired = { code: 'login-failed', reason: 'login-expired' }

const second = (more: object = {}) => call('/api/login/second-factor', { ticket: 'ticket', code: '1', ...more })

describe('[MFA-3] the second step of a sign-in', () => {
  test.each<[kind: FactorKind, proof: object]>([
    ['totp', { code: '1' }],
    ['passkey', { code: undefined, assertion }],
  ])('with %s signs in, confirmed', async (shown, proof) => {
    kind = shown
    const { session, headers, body } = await second(proof)
    expect([session, headers]).toEqual([token, {}])
    expect(body).toMatchObject({ username: 'ann', role: 'viewer' })
    expect(signedIn).toEqual([['ann', { isConfirmed: true, detail: shown }]])
    expect(permits).toEqual([address, 'released'])
    const occasion = { purpose: 'passkey.second-factor', subject: ann.id, party }
    const sent = { code: undefined, assertion: undefined, ...proof }
    expect(checked).toEqual([['ann', sent, occasion, 'recovery-code.use', 'password']])
  })

  test.each<[what: string, change: () => void, error: object, permits: string[]]>([
    [
      'a wrong code',
      () => (kind = undefined),
      { code: 'login-failed', reason: 'wrong-second-factor' },
      ['failed', 'released'],
    ],
    ['a ticket that was used in between', () => (isTicketFresh = false), expired, ['released']],
  ])('with %s fails', async (_what, change, error, then) => {
    change()
    await expect(second({ remember: true })).rejects.toMatchObject(error)
    expect([permits, signedIn, remembered]).toEqual([[address, ...then], [], []])
    expect(failures).toEqual([{ name: waiting?.name, detail: 'second-factor' }])
  })

  test('[RATE-2] with a ticket that has expired fails, and no factor is checked: that isn’t a failed login', async () => {
    waiting = undefined
    await expect(second({ remember: true })).rejects.toMatchObject(expired)
    expect([permits, checked, signedIn, remembered]).toEqual([[], [], [], []])
    expect(failures).toEqual([{ name: undefined, detail: 'second-factor' }])
  })

  test('[RATE-2] without a factor is an invalid request, and no failed login', async () => {
    const missing = { code: 'invalid-request', problems: [{ field: 'code', code: 'missing' }] }
    await expect(second({ code: undefined })).rejects.toMatchObject(missing)
    expect([permits, checked, failures]).toEqual([[], [], []])
  })

  test.each([undefined, false])('[MFA-5] remembers no device, with %s', async (remember) => {
    expect((await second({ remember })).headers).toStrictEqual({})
    expect(remembered).toEqual([])
  })

  test('[MFA-5] gives no cookie for a device that could not be remembered, because the user’s factors changed', async () => {
    isStored = false
    expect((await second({ remember: true })).headers).toStrictEqual({})
  })

  test('[MFA-5] remembers a device, and keeps only the hash of its secret', async () => {
    const cookie = (await second({ remember: true })).headers?.['set-cookie'] ?? ''
    const [, secret = ''] = /^gatehouse_device=([\w-]{43});/.exec(cookie) ?? []
    const device = {
      userId: ann.id,
      credentialVersion: 4,
      secretHash: hashOfSecret(secret),
      address,
      userAgent: 'a browser',
      createdAt: now,
      lastUsedAt: now,
      expiresAt: now + 30 * 86_400_000,
    }
    const entry = { action: 'device.remember', result: 'success', user: 'ann', auth_method: 'password', target: 'ann' }
    expect(remembered).toMatchObject([[device, { name: 'ann' }, entry]])
  })
})

const options = (body: object, more: object = {}) => call('/api/login/passkey/options', body, more)

describe('[MFA-1] the options of a passkey at a sign-in', () => {
  test('are for any user, or with a ticket for its user', async () => {
    expect(await options({})).toEqual({ occasion: { purpose: 'passkey.login', subject: '', party }, key: undefined })
    const occasion = { purpose: 'passkey.second-factor', subject: ann.id, party }
    expect(await options({ ticket: 'ticket' })).toEqual({ occasion, key: 'ann' })
  })

  test('are not given for a ticket of no user, or where no passkey works', async () => {
    await expect(options({ ticket: 'x' })).rejects.toMatchObject(expired)
    await expect(options({}, { host: '192.0.2.1' })).rejects.toMatchObject({ reason: 'no-passkeys-here' })
  })
})

const withPasskey = (more: object = {}) => call('/api/login/passkey', { assertion }, more)

describe('[MFA-1] a sign-in with a passkey alone', () => {
  test('needs nothing else, and is confirmed', async () => {
    expect(await withPasskey()).toMatchObject({ session: token, body: { username: 'ann' } })
    expect(checked).toEqual([{ purpose: 'passkey.login', subject: '', party }])
    expect(signedIn).toEqual([['ann', { isConfirmed: true, detail: 'passkey' }]])
    expect(permits).toEqual([address, 'released'])
  })

  test.each<[what: string, permits: string[], change: () => void]>([
    ['that is not acceptable', ['failed', 'released'], () => (passkeyOf = undefined)],
    ['of a user who was deleted', ['released'], () => (row = undefined)],
    ['of a user who is disabled', ['released'], () => (row = { ...ann, disabled: true })],
    ['of a user whose time is over', ['released'], () => (row = { ...ann, expiresAt: now })],
  ])('[RATE-2] %s fails, with the permit %j', async (_what, then, change) => {
    change()
    const refused = { code: 'login-failed', reason: 'passkey-not-accepted' }
    await expect(withPasskey()).rejects.toMatchObject(refused)
    expect([permits, signedIn, failures]).toEqual([[address, ...then], [], [{ detail: 'passkey' }]])
  })

  test('is not possible at an address without a name', async () => {
    await expect(withPasskey({ host: '192.0.2.1' })).rejects.toMatchObject({ reason: 'no-passkeys-here' })
    expect(permits).toEqual([])
  })
})
