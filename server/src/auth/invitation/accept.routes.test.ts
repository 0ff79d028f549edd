import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import { unauthenticated } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import type { Input } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { systemRandom } from '../../shared/random.ts'
import type { User } from '../../users/user.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { requireOwnSignIn } from '../session/own-sign-in.ts'
import { acceptRoutes, type AcceptRoutesDeps } from './accept.routes.ts'
import type { Invitation, PasswordReset, OneTimeLink } from './invitation.ts'
import type { LinkUse, Refused } from './invitation-store.ts'

const now = 1_700_000_000_000
const at = new Date(now).toISOString()
const id = '0123456789abcdef'.repeat(2)
const chosen = 'correct horse battery'
const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: 'cams.lan', basePath: '/cams/' }
const ann = testUser('ann')
const link = { id, createdBy: 'boss', expiresAt: now }
const invitation = { ...link, kind: 'invitation', role: 'guard', username: null } as Invitation
const reset = { ...link, kind: 'reset', username: 'ann' } as PasswordReset
const token = { token: 'abc', maxAge: 60 }

let settings: Pick<AuthConfig, 'enabled' | 'cookie_same_site'> & { oidc: { only: boolean } }
/** The link of a right secret. */
let found: OneTimeLink
/** What a link gives when it is used. */
let accepted: 'taken' | Refused | undefined
let secondFactor: Error | undefined
let hasSession: boolean
let done: unknown[]
beforeEach(() => {
  settings = { enabled: true, cookie_same_site: 'lax', oidc: { only: false } }
  found = invitation
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
const roles = {}
const isAccepted = () => true
const deps = {
  store: {
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
  signIn: {
    requireOffered: (caller: Caller) => requireOwnSignIn(settings, caller),
    async run(_caller: Caller, failure: object, signIn: (from: object) => Promise<object>) {
      done.push(failure)
      return signIn({ client })
    },
    async begin(of: User, _from: unknown, how: object) {
      done.push([`session of ${of.key}`, how])
      return hasSession ? { user: of, token, active: { expiresAt: now } } : undefined
    },
  },
  passwords: { hash: async (password: string) => `hash of ${password}` },
  async secondFactor({ key }: User) {
    done.push(`second factor of ${key}`)
    if (secondFactor) throw secondFactor
    return { isConfirmed: true }
  },
  settings: () => settings,
  roles: () => roles,
  isAccepted,
  publish: (invalidation: unknown) => void done.push(invalidation),
  clock: { now: () => now },
  random: systemRandom,
} as unknown as AcceptRoutesDeps

const routeAt = (path: string) => acceptRoutes(deps).find((route) => route.path === path)!
const call = (path: string, body: object, more: object = {}) => {
  const caller = { identity: unauthenticated, client, isProxied: false, ...more } as unknown as Caller
  return routeAt(path).handle!({ params: { id }, body } as unknown as Input<never>, caller) as Promise<unknown>
}
const guest = { secret: 's', username: 'Guest', password: chosen }
const accept = (body: object = guest, more: object = {}) => call('/api/invitations/:id/accept', body, more)
const set = (body: object = { secret: 's', password: chosen }, more: object = {}) =>
  call('/api/password-resets/:id/accept', body, more)
const open = (path: string, more: object = {}) => call(`/api/${path}/:id/open`, { secret: 's' }, more)
const use = { id, secret: 's', roles, isAccepted, now }
const session = (username: string) => ({ parts: { status: 200, session: token, body: { username } } })
const checked = (kind: string) => [kind, id, 's', '192.0.2.7']

describe('[LINK-4] the person who has an invitation', () => {
  test('sees the username that it is for', async () => {
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

  test('sees the username that it is for, and sets the password', async () => {
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
  const routes = acceptRoutes(deps)
  expect(routes).toHaveLength(4)
  for (const { requireOffered } of routes) {
    expect(() => requireOffered?.({ client, isProxied: false, ...caller } as Caller)).toThrow(
      expect.objectContaining(error),
    )
  }
})

test.each<[string, body: object]>([
  ['/api/invitations/:id/open', { secret: 's' }],
  ['/api/password-resets/:id/open', { secret: 's' }],
  ['/api/invitations/:id/accept', guest],
  ['/api/password-resets/:id/accept', { secret: 's', password: chosen }],
])('[LINK-4] the body of %s has no other field than those that it knows', (path, body) => {
  const validate = validatorFor(routeAt(path).schema.body!, 'body')
  expect(validate(body)).toEqual(body)
  const problem: unknown = expect.objectContaining({ field: 'more', code: 'unknown-field' })
  expect(() => validate({ ...body, more: 1 })).toThrow(expect.objectContaining({ problems: [problem] }))
})
