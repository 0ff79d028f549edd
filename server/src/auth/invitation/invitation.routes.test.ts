import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import { internalAdmin, type Identity } from '../../access/identity.ts'
import { databaseOwner } from '../../users/user.ts'
import type { Caller } from '../../http/caller.ts'
import type { Input, Method } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { ExistingRole } from '../../users/accounts/account-store.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { systemRandom } from '../../shared/random.ts'
import { hashOfSecret } from '../link-secret.ts'
import { invitationRoutes, type InvitationRoutesDeps } from './invitation.routes.ts'
import type { Invitation, PasswordReset, OneTimeLink } from './invitation.ts'

const now = 1_700_000_000_000
const day = 86_400_000
const at = new Date(now).toISOString()
const id = '0123456789abcdef'.repeat(2)
const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: 'cams.lan', basePath: '/cams/' }
const boss: Identity = { ...internalAdmin, authMethod: 'password', name: 'boss', userId: 'id of boss' }
const ann = testUser('ann', { credentialVersion: 4 })
const link = {
  id,
  secretHash: '',
  createdBy: 'boss',
  createdVia: 'password',
  creatorId: 'id of boss',
  tokenId: null,
  createdAt: now,
  expiresAt: now,
  ended: null,
} as const
const invitation: Invitation = { ...link, kind: 'invitation', role: 'guard', username: null }
const reset: PasswordReset = { ...link, kind: 'reset', username: 'ann', userId: ann.id, credentialVersion: 4 }

let isOidcOnly: boolean
let added: 'added' | 'full' | 'role-replaced'
/** The link that is revoked. */
let found: OneTimeLink
let isRevoked: boolean
let done: unknown[]
beforeEach(() => {
  isOidcOnly = false
  added = 'added'
  found = invitation
  isRevoked = true
  done = []
})

const named = ({ action, user: by, auth_method, target, detail }: AuditEntry) => [
  action,
  by,
  auth_method,
  target,
  detail,
]
const isAccepted = () => true
const roles = { exists: (role: string) => role === 'guard', names: ['admin', 'guard'] }
const deps = {
  store: {
    async add(of: OneTimeLink, entry: AuditEntry, max: number, role: ExistingRole | null) {
      done.push([of, named(entry), max, role])
      return added
    },
    pending: async (state: object) => (done.push(state), [invitation, reset]),
    async revoke(of: string, entry: (of: OneTimeLink) => AuditEntry) {
      if (isRevoked) done.push([of, named(entry(found))])
      return isRevoked
    },
  },
  users: {
    userByKey: async (key: string) => (key.trim() === 'ann' ? ann : undefined),
    roleGeneration: async () => 3,
  },
  settings: () => ({ oidc: { only: isOidcOnly } }),
  roles: () => roles,
  isAccepted,
  clock: { now: () => now },
  random: systemRandom,
} as unknown as InvitationRoutesDeps

const routeAt = (method: Method, path: string) =>
  invitationRoutes(deps).find((route) => route.methods.includes(method) && route.path === path)!
const call = (method: Method, path: string, input: object, owner = databaseOwner(ann)) => {
  const caller = { identity: boss, authentication: {}, client, owner } as unknown as Caller
  return routeAt(method, path).handle!(input as Input<never>, caller) as Promise<unknown>
}
interface Created {
  readonly parts: { readonly status: number; readonly body: { id: string; url: string; expires_at: string } }
}

const invite = (body: object) => call('POST', '/api/invitations', { body }) as Promise<Created>

const resetOf = (username: string, owner = databaseOwner(ann)) =>
  call('POST', '/api/users/:username/password-reset', { params: { username } }, owner) as Promise<Created>

const revoke = () => call('DELETE', '/api/invitations/:id', { params: { id } })

describe('[LINK-4] an admin', () => {
  test.each<
    [
      kind: string,
      page: string,
      create: () => Promise<Created>,
      days: number,
      more: Partial<OneTimeLink>,
      entry: unknown[],
    ]
  >([
    [
      'an invitation',
      'invite',
      () => invite({ role: 'guard' }),
      7,
      { kind: 'invitation', role: 'guard', username: null },
      ['invitation.create', 'boss', 'password', null, 'guard'],
    ],
    [
      'an invitation with a name',
      'invite',
      () => invite({ role: 'guard', username: 'Carla' }),
      7,
      { kind: 'invitation', role: 'guard', username: 'Carla' },
      ['invitation.create', 'boss', 'password', 'Carla', 'guard'],
    ],
    [
      'a reset',
      'reset',
      () => resetOf('ANN'),
      1,
      { kind: 'reset', username: 'ann', userId: ann.id, credentialVersion: 4 },
      ['password-reset.create', 'boss', 'password', 'ann', undefined],
    ],
  ])('creates %s, and only its hash is kept', async (_kind, page, create, days, more, entry) => {
    const { parts } = await create()
    const { url, expires_at } = parts.body
    const [, secret = ''] = url.split('#')
    expect([parts.status, url]).toEqual([201, `https://cams.lan/cams/${page}/${parts.body.id}#${secret}`])
    expect(expires_at).toBe(new Date(now + days * day).toISOString())
    const kept = { ...link, ...more, id: parts.body.id, secretHash: hashOfSecret(secret), expiresAt: now + days * day }
    const role = more.kind === 'invitation' ? { role: 'guard', generation: 3 } : null
    expect(done).toEqual([[kept, entry, 1000, role]])
  })

  test.each<[what: string, create: () => Promise<unknown>, error: object]>([
    [
      'for an unknown role',
      () => invite({ role: 'cook' }),
      { problems: [{ field: 'role', code: 'no-such-role', values: { roles: ['admin', 'guard'] } }] },
    ],
    ['for a name in use', () => invite({ role: 'guard', username: 'ANN' }), { code: 'conflict', reason: 'name-taken' }],
    [
      'for a name that no user can have',
      () => invite({ role: 'guard', username: 'no name' }),
      { problems: [{ field: 'username', code: 'invalid-username' }] },
    ],
    ['for an unknown user', () => resetOf('bob'), { code: 'not-found', reason: 'no-such-user' }],
    ['for no user', () => resetOf('no name'), { code: 'not-found', reason: 'no-such-user' }],
  ])('creates no link %s', async (_what, create, error) => {
    await expect(create()).rejects.toMatchObject(error)
    expect(done).toEqual([])
  })

  test('[ROLE-10] resets the password of the user for whom that was allowed, not of a later one with the name', async () => {
    const earlier = databaseOwner(testUser('ann', { id: 'another' }))
    await expect(resetOf('ann', earlier)).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-user' })
    expect(done).toEqual([])
  })

  test('creates no link while there are too many, and none where passwords are not used', async () => {
    added = 'full'
    const full = { code: 'conflict', reason: 'too-many-invitations', values: { max: 1000 } }
    await expect(invite({ role: 'guard' })).rejects.toMatchObject(full)
    done = []
    isOidcOnly = true
    for (const create of [invite({ role: 'guard' }), resetOf('ann')]) {
      await expect(create).rejects.toMatchObject({ code: 'conflict', reason: 'provider-only' })
    }
    expect(done).toEqual([])
  })

  test('creates no invitation for a role that was deleted while the request waited', async () => {
    added = 'role-replaced'
    await expect(invite({ role: 'guard' })).rejects.toMatchObject({ code: 'conflict', reason: 'role-changed' })
  })

  test('lists the links that can be used', async () => {
    const shown = { id, created_by: 'boss', created_at: at, expires_at: at }
    expect(await call('GET', '/api/invitations', {})).toEqual([
      { ...shown, kind: 'invitation', role: 'guard', username: null },
      { ...shown, kind: 'reset', role: null, username: 'ann' },
    ])
    expect(done).toEqual([{ roles, isAccepted, now }])
  })

  test.each<[OneTimeLink, entry: unknown[]]>([
    [{ ...invitation, username: 'Carla' }, ['invitation.revoke', 'boss', 'password', 'Carla', 'guard']],
    [reset, ['password-reset.revoke', 'boss', 'password', 'ann', undefined]],
  ])('revokes %j', async (of, entry) => {
    found = of
    expect(await revoke()).toBeUndefined()
    expect(done).toEqual([[id, entry]])
  })

  test('does not revoke a link that is over', async () => {
    isRevoked = false
    await expect(revoke()).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-invitation' })
  })
})

test.each<[Method, string]>([
  ['POST', '/api/invitations'],
  ['POST', '/api/users/:username/password-reset'],
  ['DELETE', '/api/invitations/:id'],
])('[MFA-4] %s %s has to be confirmed', (method, path) => {
  expect(routeAt(method, path).confirm).toBe(true)
})

const body = { role: 'guard', username: 'Carla' }
test('[LINK-4] the body of an invitation has no other field than those that it knows', () => {
  const validate = validatorFor(routeAt('POST', '/api/invitations').schema.body!, 'body')
  expect(validate(body)).toEqual(body)
  const problem: unknown = expect.objectContaining({ field: 'more', code: 'unknown-field' })
  expect(() => validate({ ...body, more: 1 })).toThrow(expect.objectContaining({ problems: [problem] }))
})
