import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { signedInAnn } from '../../../../test/support/test-identity.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { systemRandom } from '../../../shared/random.ts'
import type { User } from '../../../users/user.ts'
import { createSecretBox } from '../../secret-box.ts'
import { enrollmentRoutes, type EnrollmentRoutesDeps } from './enrollment.routes.ts'
import { recoveryCodeHash } from '../recovery-codes.ts'

const now = 1_700_000_000_000
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })
const box = createSecretBox('j'.repeat(64), 'purpose', systemRandom)
const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const created = { credentialId: 'c', publicKey: 'k', counter: 1, transports: [], rpId: 'here' }

let ann: User
/** The sealed secret that waits for a code. */
let waiting: string | undefined
let ended: string[] | undefined
let isCredential: boolean
let done: unknown[]
let published: unknown[]
beforeEach(() => {
  ann = testUser('ann')
  waiting = box.seal(secret, ann.id)
  ended = ['s2']
  isCredential = true
  done = []
  published = []
})

const deps = {
  store: {
    keepNewTotp: async (...of: unknown[]) => void done.push(of),
    newTotp: async (session: string, at: number) => (session === 's1' && at === now ? waiting : undefined),
    async addTotp(...of: unknown[]) {
      done.push(of)
      return ended
    },
    async addPasskey(...of: unknown[]) {
      done.push(of)
      return ended
    },
  },
  accounts: { userById: async () => ann },
  passkeys: {
    verifyNew: async (credential: unknown, occasion: unknown) =>
      isCredential ? (done.push([credential, occasion]), created) : undefined,
    creationOptions: async (occasion: unknown, { key }: User) => ({ occasion, key }),
  },
  box,
  settings: () => ({ mfa: { required_for: [], origins: [] } }),
  publish: (invalidation: unknown) => void published.push(invalidation),
  clock: { now: () => now },
  random: systemRandom,
} as unknown as EnrollmentRoutesDeps

const call = (path: string, body?: object, more: object = {}) =>
  enrollmentRoutes(deps).find((route) => route.path === path)!.handle!(
    { body } as Input<never>,
    {
      identity: signedInAnn,
      client: { ...client, ...more },
    } as Caller,
  ) as Promise<object>
const changed = [
  { kind: 'user', key: 'ann' },
  { kind: 'session', id: 's2' },
]
const entryOf = (detail: string): Partial<AuditEntry> => ({ action: 'factor.add', user: 'ann', target: 'ann', detail })

describe('[MFA-1] an authenticator app', () => {
  test('gets a secret, which is kept sealed for half an hour', async () => {
    const { parts } = (await call('/api/account/totp')) as { parts: { body: { secret: string; uri: string } } }
    expect(parts).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(parts.body.uri).toContain(parts.body.secret)
    const [[session, sealed, until] = []] = done as [string, string, number][]
    expect([session, until]).toEqual(['s1', now + 1_800_000])
    expect(box.open(sealed!, ann.id)).toBe(parts.body.secret)
  })

  test('is added by its code, with recovery codes of which the hashes are kept', async () => {
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    const { recovery_codes: codes } = (await call('/api/account/totp/confirm', { code: typed })) as {
      recovery_codes: string[]
    }
    expect(codes).toHaveLength(10)
    const totp = { secret: waiting, createdAt: now, lastStep: Math.floor(now / 30_000) }
    const change = { user: ann, keptSession: 's1', entry: entryOf('totp') }
    expect(done).toMatchObject([[change, totp, codes.map(recoveryCodeHash)]])
    expect(published).toEqual(changed)
  })

  test.each<[what: string, sealed: string | undefined, typed: string, error: object]>([
    ['with a wrong code', box.seal(secret, 'id of ann'), '000000', { reason: 'wrong-totp-code' }],
    ['without a secret', undefined, code, { code: 'not-found', reason: 'no-such-factor' }],
    ['with a secret of another user', box.seal(secret, 'bob'), code, { code: 'not-found', reason: 'no-such-factor' }],
  ])('is not added %s', async (_what, sealed, typed, error) => {
    waiting = sealed
    await expect(call('/api/account/totp/confirm', { code: typed })).rejects.toMatchObject(error)
    expect([done, published]).toEqual([[], []])
  })
})

describe('[MFA-1] a passkey', () => {
  const occasion = { purpose: 'passkey.add', subject: 's1', party: { id: 'here', origin: 'https://here' } }
  const credential = {}
  const add = (more: object = {}) => call('/api/account/passkeys', { name: 'Phone', credential }, more)

  test('gets the options of the address that the browser shows', async () => {
    expect(await call('/api/account/passkeys/options')).toEqual({ occasion, key: 'ann' })
    await expect(call('/api/account/passkeys/options', {}, { host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'invalid-request',
      reason: 'no-passkeys-here',
    })
    await expect(add({ host: '192.0.2.1' })).rejects.toMatchObject({ reason: 'no-passkeys-here' })
  })

  test.each([false, true])('comes with recovery codes, unless the user has a factor: %s', async (hasFactor) => {
    ann = testUser('ann', { hasFactor })
    const { parts } = (await add()) as { parts: { body: { id: string; recovery_codes?: string[] } } }
    const { id, recovery_codes: codes } = parts.body
    expect(parts).toStrictEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'Phone',
        ...(!hasFactor && { recovery_codes: codes }),
      },
    })
    expect(codes?.length).toBe(hasFactor ? undefined : 10)
    const passkey = { id, userId: ann.id, name: 'Phone', createdAt: now, lastUsedAt: null, ...created }
    const change = { user: ann, keptSession: 's1', entry: entryOf('passkey: Phone') }
    expect(done).toMatchObject([
      [credential, occasion],
      [change, passkey, codes?.map(recoveryCodeHash)],
    ])
    expect(published).toEqual(changed)
  })

  test('that is not acceptable is refused', async () => {
    isCredential = false
    await expect(add()).rejects.toMatchObject({ code: 'invalid-request', reason: 'passkey-not-accepted' })
    expect([done, published]).toEqual([[], []])
  })

  test('that a user already has is a conflict', async () => {
    ended = undefined
    await expect(add()).rejects.toMatchObject({ code: 'conflict', reason: 'passkey-exists' })
    expect(published).toEqual([])
  })
})
