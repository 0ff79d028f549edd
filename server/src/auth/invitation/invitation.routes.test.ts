import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../test/test-user.ts'
import { internalAdmin, unauthenticated, type Identity } from '../../access/identity.ts'
import type { Caller, Input, Method } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { systemRandom } from '../../shared/random.ts'
import type { User } from '../../users/user.ts'
import { hashOfSecret } from '../link-secret.ts'
import { invitationRoutes, type InvitationRoutesDeps } from './invitation.routes.ts'
import type { Invitation, PasswordReset, PersonalLink } from './invitation.ts'
import type { LinkUse, Refused } from './invitation-store.ts'

const now = 1_700_000_000_000
const day = 86_400_000
const at = new Date(now).toISOString()
const id = '0123456789abcdef'.repeat(2)
const chosen = 'correct horse battery'
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
const token = { token: 'abc', maxAge: 60 }

let settings: { enabled: boolean; cookie_same_site: string; oidc: { only: boolean } }
let user: User | undefined
let added: 'added' | 'full'
/** The link of a right secret. */
let found: PersonalLink
let isRevoked: boolean
/** What a link gives when it is used. */
let accepted: 'taken' | Refused | undefined
let secondFactor: Error | undefined
let hasSession: boolean
let done: unknown[]
beforeEach(() => {
  settings = { enabled: true, cookie_same_site: 'lax', oidc: { only: false } }
  user = ann
  added = 'added'
  found = invitation
  isRevoked = true
  accepted = undefined
  secondFactor = undefined
  hasSession = true
  done = []
})

const named = ({ action, user: by, auth_method, target, detail }: AuditEntry) => [
  action,
  by,
  auth_method,
  target,
  detail,
]
const roles = { exists: (role: string) => role === 'guard', names: ['admin', 'guard'] }
const deps = {
  store: {
    async add(of: PersonalLink, entry: AuditEntry, max: number) {
      done.push([of, named(entry), max])
      return added
    },
    pending: async (state: object) => (done.push(state), [invitation, reset]),
    async revoke(of: string, entry: (of: PersonalLink) => AuditEntry) {
      if (isRevoked) done.push([of, named(entry(found))])
      return isRevoked
    },
    async acceptInvitation(
      use: LinkUse,
      made: (of: Invitation) => User,
      entry: (of: Invitation, user: User) => AuditEntry,
    ) {
      const guest = made(invitation)
      done.push([use, guest, named(entry(invitation, guest))])
      return accepted ?? { user: guest }
    },
    async acceptReset(use: LinkUse, password: object, entry: (of: PasswordReset) => AuditEntry) {
      done.push([use, password, named(entry(reset))])
      return accepted ?? { user: ann }
    },
  },
  links: {
    async check(kind: string, use: LinkUse, address: string) {
      done.push([kind, use.id, use.secret, address])
      return found
    },
  },
  users: {
    userByKey: async (key: string) => (key.trim() === user?.key ? user : undefined),
  },
  flow: {
    async run(_caller: Caller, failure: object, signIn: (from: object) => Promise<object>) {
      done.push(failure)
      return signIn({ client })
    },
  },
  signIn: {
    hash: async (password: string) => `hash of ${password}`,
    async begin(of: User, _from: unknown, how: object) {
      done.push([`session of ${of.key}`, how])
      return hasSession ? { user: of, token, live: { expiresAt: now } } : undefined
    },
  },
  async secondFactor({ key }: User) {
    done.push(`second factor of ${key}`)
    if (secondFactor) throw secondFactor
    return { isConfirmed: true }
  },
  settings: () => settings,
  roles: () => roles,
  publish: (fact: unknown) => void done.push(fact),
  clock: { now: () => now },
  random: systemRandom,
} as unknown as InvitationRoutesDeps

const routeAt = (method: Method, path: string) =>
  invitationRoutes(deps).find((route) => route.methods.includes(method) && route.path === path)!
const call = (method: Method, path: string, input: object, more: object = {}) => {
  const caller = { identity: boss, authentication: {}, client, isProxied: false, ...more } as unknown as Caller
  return routeAt(method, path).handle!(input as Input<never>, caller) as Promise<unknown>
}
interface Created {
  readonly parts: { readonly status: number; readonly body: { id: string; url: string; expires_at: string } }
}

const invite = (body: object) => call('POST', '/api/invitations', { body }) as Promise<Created>

const resetOf = (username: string) =>
  call('POST', '/api/users/:username/password-reset', { params: { username } }) as Promise<Created>

const revoke = () => call('DELETE', '/api/invitations/:id', { params: { id } })

describe('[LINK-4] an admin', () => {
  test.each<[kind: string, page: string, create: () => Promise<Created>, days: number, more: object, entry: unknown[]]>(
    [
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
    ],
  )('creates %s, and only its hash is kept', async (_kind, page, create, days, more, entry) => {
    const { parts } = await create()
    const { url, expires_at } = parts.body
    const [, secret = ''] = url.split('#')
    expect([parts.status, url]).toEqual([201, `https://cams.lan/cams/${page}/${parts.body.id}#${secret}`])
    expect(expires_at).toBe(new Date(now + days * day).toISOString())
    const kept = { ...link, ...more, id: parts.body.id, secretHash: hashOfSecret(secret), expiresAt: now + days * day }
    expect(done).toEqual([[kept, entry, 1000]])
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

  test('creates no link while there are too many, and none where passwords are not used', async () => {
    added = 'full'
    const full = { code: 'conflict', reason: 'too-many-invitations', values: { max: 1000 } }
    await expect(invite({ role: 'guard' })).rejects.toMatchObject(full)
    done = []
    settings.oidc.only = true
    for (const create of [invite({ role: 'guard' }), resetOf('ann')]) {
      await expect(create).rejects.toMatchObject({ code: 'conflict', reason: 'provider-only' })
    }
    expect(done).toEqual([])
  })

  test('lists the links that can be used', async () => {
    const shown = { id, created_by: 'boss', created_at: at, expires_at: at }
    expect(await call('GET', '/api/invitations', {})).toEqual([
      { ...shown, kind: 'invitation', role: 'guard', username: null },
      { ...shown, kind: 'reset', role: null, username: 'ann' },
    ])
    expect(done).toEqual([{ roles, now }])
  })

  test.each<[PersonalLink, entry: unknown[]]>([
    [{ ...invitation, username: 'Carla' }, ['invitation.revoke', 'boss', 'password', 'Carla', 'guard']],
    [reset, ['password-reset.revoke', 'boss', 'password', 'ann', undefined]],
  ])('revokes %j', async (of, entry) => {
    found = of
    expect(await revoke()).toMatchObject({ parts: { status: 204 } })
    expect(done).toEqual([[id, entry]])
  })

  test('does not revoke a link that is over', async () => {
    isRevoked = false
    await expect(revoke()).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-invitation' })
  })
})

const as = { identity: unauthenticated }
const guest = { secret: 's', username: 'Guest', password: chosen }
const accept = (body: object = guest, more: object = {}) =>
  call('POST', '/api/invitations/:id/accept', { params: { id }, body }, { ...as, ...more })
const set = (body: object = { secret: 's', password: chosen }, more: object = {}) =>
  call('POST', '/api/password-resets/:id/accept', { params: { id }, body }, { ...as, ...more })
const open = (path: string, more: object = {}) =>
  call('POST', `/api/${path}/:id/open`, { params: { id }, body: { secret: 's' } }, { ...as, ...more })
const use = { id, secret: 's', roles, now }
const session = (username: string) => ({ parts: { status: 200, session: token, body: { username } } })
const checked = (kind: string) => [kind, id, 's', '192.0.2.7']

describe('[LINK-4] the person who has an invitation', () => {
  test('sees for whom it is', async () => {
    expect(await open('invitations')).toEqual({ username: null, expires_at: at })
    expect(done).toEqual([checked('invitation')])
  })

  test.each<[name: string, preset: string | null, sent: string | undefined]>([
    ['Guest', null, 'Guest'],
    ['Carla', 'Carla', undefined],
    ['Carla', 'Carla', 'Carla'],
  ])('becomes the user %s, whose preset name is %s', async (name, preset, username) => {
    found = { ...invitation, username: preset }
    expect(await accept({ ...guest, username })).toMatchObject(session(name))
    const key = name.toLowerCase()
    const entry = ['invitation.accept', name, 'link', name, 'guard, invited by boss']
    const made = { name, key, role: 'guard', passwordHash: `hash of ${chosen}`, passwordOrigin: 'own' }
    expect(done).toMatchObject([
      checked('invitation'),
      [use, made, entry],
      { kind: 'user', key },
      { name },
      `second factor of ${key}`,
      [`session of ${key}`, { isSignIn: true }],
    ])
  })

  test.each<[what: string, preset: string | null, body: object, problem: object]>([
    ['no name', null, { username: undefined }, { field: 'username', code: 'missing' }],
    ['another name', 'Carla', { username: 'carla' }, { field: 'username', code: 'invalid' }],
    ['a name that no user can have', null, { username: 'no name' }, { field: 'username', code: 'invalid-username' }],
    ['a short password', null, { password: 'short' }, { field: 'password' }],
    [
      'the name as the password',
      null,
      { username: chosen.replaceAll(' ', '.'), password: chosen.replaceAll(' ', '.') },
      { field: 'password' },
    ],
  ])('is told of %s, and can try again', async (_what, preset, body, problem) => {
    found = { ...invitation, username: preset }
    await expect(accept({ ...guest, ...body })).rejects.toMatchObject({ code: 'invalid-request', problems: [problem] })
    expect(done).toEqual([checked('invitation')])
  })

  test.each<['taken' | Refused, object]>([
    ['taken', { code: 'conflict', reason: 'name-taken' }],
    ['used', { code: 'gone', reason: 'one-time-link-used' }],
    ['wrong', { code: 'unauthenticated', reason: 'one-time-link-wrong' }],
  ])('becomes no user if it is %s then', async (result, error) => {
    accepted = result
    await expect(accept()).rejects.toMatchObject(error)
    expect(done).toHaveLength(2)
  })

  test('gets no session if the user is gone again', async () => {
    hasSession = false
    await expect(accept()).rejects.toMatchObject({ code: 'gone', reason: 'one-time-link-ended' })
  })
})

describe('[LINK-4] the person who has a reset', () => {
  beforeEach(() => {
    found = reset
  })

  test('sees for whom it is, and sets the password', async () => {
    expect(await open('password-resets')).toEqual({ username: 'ann', expires_at: at })
    done = []
    expect(await set()).toMatchObject(session('ann'))
    const password = { hash: `hash of ${chosen}`, at: now, origin: 'own' }
    expect(done).toEqual([
      checked('reset'),
      [use, password, ['password-reset.accept', 'ann', 'link', 'ann', 'link by boss']],
      { kind: 'user', key: 'ann' },
      { name: 'ann' },
      'second factor of ann',
      ['session of ann', { isSignIn: true }],
    ])
  })

  test('[MFA-3] is asked for the second factor', async () => {
    secondFactor = new Error('second factor')
    await expect(set()).rejects.toBe(secondFactor)
    expect(done).not.toContainEqual(['session of ann', { isSignIn: true }])
  })

  test('cannot set a password that is against the rules', async () => {
    const problems = [{ field: 'password' }]
    await expect(set({ secret: 's', password: 'short' })).rejects.toMatchObject({ problems })
    expect(done).toEqual([checked('reset')])
  })
})

test.each<[what: string, more: object, caller: object, error: object]>([
  ['without sign-in here', { enabled: false }, {}, { code: 'not-found' }],
  ['where a proxy signs in', {}, { isProxied: true }, { code: 'not-found' }],
  ['where no password is used', { oidc: { only: true } }, {}, { code: 'conflict', reason: 'provider-only' }],
])('[LINK-4] no link can be opened or used %s', async (_what, more, caller, error) => {
  Object.assign(settings, more)
  const attempts = [
    () => accept(guest, caller),
    () => set(undefined, caller),
    () => open('invitations', caller),
    () => open('password-resets', caller),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(error)
  expect(done).toEqual([])
})

test.each<[Method, string]>([
  ['POST', '/api/invitations'],
  ['POST', '/api/users/:username/password-reset'],
  ['DELETE', '/api/invitations/:id'],
])('[MFA-4] %s %s has to be confirmed', (method, path) => {
  expect(routeAt(method, path).confirm).toBe(true)
})

test.each<[string, body: object]>([
  ['/api/invitations', { role: 'guard', username: 'Carla' }],
  ['/api/invitations/:id/open', { secret: 's' }],
  ['/api/password-resets/:id/open', { secret: 's' }],
  ['/api/invitations/:id/accept', guest],
  ['/api/password-resets/:id/accept', { secret: 's', password: chosen }],
])('[LINK-4] the body of %s has no other field than those that it knows', (path, body) => {
  const validate = validatorFor(routeAt('POST', path).schema.body!, 'body')
  expect(validate(body)).toEqual(body)
  const problem: unknown = expect.objectContaining({ field: 'more', code: 'unknown-field' })
  expect(() => validate({ ...body, more: 1 })).toThrow(expect.objectContaining({ problems: [problem] }))
})
