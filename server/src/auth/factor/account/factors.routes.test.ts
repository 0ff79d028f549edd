import { beforeEach, describe, expect, test } from 'vitest'
import { signedInAnn } from '../../../../test/support/test-identity.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import { internalAdmin, type Identity } from '../../../access/identity.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input, Method } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { systemRandom } from '../../../shared/random.ts'
import { databaseOwner, type User } from '../../../users/user.ts'
import type { Device, Passkey } from '../store/factor-store.ts'
import { factorsRoutes, type FactorsRoutesDeps } from './factors.routes.ts'
import { recoveryCodeHash } from '../recovery-codes.ts'

const now = 1_700_000_000_000
const passkey = { id: 'p1', name: 'Phone', createdAt: now, lastUsedAt: null } as Passkey
const device = { id: 'd1', address: '192.0.2.7', userAgent: 'a browser' } as Device

let ann: User
/** Roles that require a second factor. */
let required: string[]
let factors: { totp: { createdAt: number } | undefined; passkeys: Passkey[] }
/** The response to a change. */
let ended: string[] | undefined
let isDevice: boolean
let isRenamed: boolean
let done: unknown[]
beforeEach(() => {
  ann = testUser('ann', { hasFactor: true })
  required = []
  factors = { totp: undefined, passkeys: [] }
  ended = ['s2']
  isDevice = false
  isRenamed = true
  done = []
})

const named = ({ action, target, detail }: AuditEntry) => [action, target, detail]
const deps = {
  store: {
    totp: async () => factors.totp,
    passkeys: async () => factors.passkeys,
    countRecoveryCodes: async () => 9,
    devices: async () => [{ ...device, createdAt: now, lastUsedAt: now + 1000, expiresAt: now + 2000 }],
    clearReset: async ({ key }: User) => void done.push(`seen by ${key}`),
    async forgetDevice(id: string, userId: string, entry: AuditEntry) {
      if (isDevice) done.push([id, userId, named(entry)])
      return isDevice
    },
    async removeFactor(change: { keptSession: unknown; entry: AuditEntry }, factor: string, keepOne: boolean) {
      done.push([change.keptSession, factor, keepOne, named(change.entry)])
      return ended
    },
    async renamePasskey(id: string, userId: string, name: string, entry: AuditEntry) {
      done.push([id, userId, name, named(entry)])
      return isRenamed
    },
    replaceRecoveryCodes: async (...of: unknown[]) => void done.push(of),
    async resetFactors(change: { user: User; keptSession: unknown; entry: AuditEntry }, note: object) {
      done.push([change.user.key, change.keptSession, named(change.entry), note])
      return ended
    },
  },
  accounts: {
    userById: async (id: string) => (id.trim() === ann.id ? ann : undefined),
    userByKey: async (key: string) => (key.trim() === 'ann' ? ann : undefined),
  },
  settings: () => ({ mfa: { required_for: required, origins: [] } }),
  publish: (invalidation: unknown) => void done.push(invalidation),
  clock: { now: () => now },
  random: systemRandom,
} as unknown as FactorsRoutesDeps

const call = (
  method: Method,
  path: string,
  more: object = {},
  identity: Identity = signedInAnn,
  owner = databaseOwner(ann),
) =>
  factorsRoutes(deps).find((route) => route.methods.includes(method) && route.path === path)!.handle!(
    more as Input<never>,
    { identity, client: { address: '192.0.2.1' }, owner } as Caller,
  ) as Promise<unknown>
const changed = [
  { kind: 'user', key: 'ann' },
  { kind: 'session', id: 's2' },
]
const noFactor = { code: 'not-found', reason: 'no-such-factor' }

describe('[MFA-1] the list of factors', () => {
  const devices = [
    {
      id: 'd1',
      address: '192.0.2.7',
      user_agent: 'a browser',
      created_at: new Date(now).toISOString(),
      last_used_at: new Date(now + 1000).toISOString(),
      expires_at: new Date(now + 2000).toISOString(),
    },
  ]

  test.each<[roles: string[], required: boolean]>([
    [[], false],
    [['admin'], false],
    [['admin', 'viewer'], true],
  ])('with none, required for %j: %s', async (roles, isRequired) => {
    required = roles
    const none = { totp: null, passkeys: [], recovery_codes: 9, devices }
    expect(await call('GET', '/api/account/factors')).toEqual({ required: isRequired, ...none })
  })

  test('has the app, and when each passkey was used', async () => {
    factors = { totp: { createdAt: now }, passkeys: [passkey, { ...passkey, id: 'p2', lastUsedAt: now + 1 }] }
    const created_at = new Date(now).toISOString()
    expect(await call('GET', '/api/account/factors')).toMatchObject({
      totp: { created_at },
      passkeys: [
        { id: 'p1', name: 'Phone', created_at, last_used_at: null },
        { id: 'p2', name: 'Phone', created_at, last_used_at: new Date(now + 1).toISOString() },
      ],
    })
  })

  test('of a caller who signs in elsewhere is empty', async () => {
    required = ['admin']
    const none = { required: false, totp: null, passkeys: [], recovery_codes: 0, devices: [] }
    expect(await call('GET', '/api/account/factors', {}, internalAdmin)).toEqual(none)
  })
})

describe('[MFA-5] the notice of a reset', () => {
  test.each<[who: string, identity: Identity, done: unknown[]]>([
    ['its user', signedInAnn, ['seen by ann', { kind: 'user', key: 'ann' }]],
    ['a caller who signs in elsewhere', internalAdmin, []],
  ])('is closed by %s', async (_who, identity, then) => {
    expect(await call('DELETE', '/api/account/factor-reset', {}, identity)).toBeUndefined()
    expect(done).toEqual(then)
  })
})

const remove = (id: string) => call('DELETE', '/api/account/factors/:id', { params: { id } })

describe('[MFA-1] [MFA-2] a factor', () => {
  test.each([
    ['totp', 'totp', [], false],
    ['p1', 'passkey', [], false],
    ['p1', 'passkey', ['viewer'], true],
  ])('%s is removed as %s, with roles %j that have to keep one: %s', async (id, detail, roles, keepOne) => {
    required = roles
    expect(await remove(id)).toBeUndefined()
    expect(done).toEqual([['s1', id, keepOne, ['factor.remove', 'ann', detail]], ...changed])
  })

  test('that does not exist is not found', async () => {
    ended = undefined
    await expect(remove('p1')).rejects.toMatchObject(noFactor)
    expect(done).toHaveLength(1)
  })

  test('[MFA-5] can be a remembered device', async () => {
    isDevice = true
    expect(await remove('d1')).toBeUndefined()
    expect(done).toEqual([['d1', 'id of ann', ['device.revoke', 'ann', undefined]]])
  })

  test.each([true, false])('is renamed if it exists: %s', async (exists) => {
    isRenamed = exists
    const renamed = call('PATCH', '/api/account/passkeys/:id', { params: { id: 'p1' }, body: { name: 'Key' } })
    if (exists) expect(await renamed).toBeUndefined()
    else await expect(renamed).rejects.toMatchObject(noFactor)
    expect(done).toEqual([['p1', 'id of ann', 'Key', ['factor.rename', 'ann', 'Key']]])
  })
})

describe('[MFA-1] recovery codes', () => {
  test('are replaced, and only their hashes are kept', async () => {
    const { recovery_codes: codes } = (await call('POST', '/api/account/recovery-codes')) as {
      recovery_codes: string[]
    }
    expect(codes).toHaveLength(10)
    expect(done).toMatchObject([['id of ann', codes.map(recoveryCodeHash), { action: 'recovery-code.renew' }]])
  })

  test('are not given to a user without a factor', async () => {
    ann = testUser('ann')
    await expect(call('POST', '/api/account/recovery-codes')).rejects.toMatchObject(noFactor)
    expect(done).toEqual([])
  })
})

const reset = (username: string, identity: Identity = signedInAnn, owner = databaseOwner(ann)) =>
  call('DELETE', '/api/users/:username/factors', { params: { username } }, identity, owner)

describe('[MFA-5] the factors of a user', () => {
  test.each<[ended: string[] | undefined, facts: object[]]>([
    [['s2'], changed],
    [undefined, []],
  ])('are reset by an admin; sessions that end: %j', async (sessions, facts) => {
    ended = sessions
    expect(await reset('ANN', { ...signedInAnn, name: 'boss' })).toBeUndefined()
    const note = { by: 'boss', at: now }
    expect(done).toEqual([['ann', undefined, ['factor.reset', 'ann', undefined], note], ...facts])
  })

  test('[ROLE-10] are reset for the user for whom that was allowed, not for a later one with the name', async () => {
    const earlier = databaseOwner(testUser('ann', { id: 'another' }))
    await expect(reset('ann', signedInAnn, earlier)).rejects.toMatchObject({ reason: 'no-such-user' })
    expect(done).toEqual([])
  })

  test.each(['bob', 'no name'])('are not found for %s', async (name) => {
    await expect(reset(name)).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-user' })
    expect(done).toEqual([])
  })
})
