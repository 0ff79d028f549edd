import { describe, expect, test } from 'vitest'
import { internalAdmin, type Identity, type Principal } from '../access/identity.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { compiledValidator } from '../shared/compiled-validator.ts'
import { systemRandom } from '../shared/random.ts'
import { systemClock } from '../shared/time/clock.ts'
import { newUser } from '../users/new-user.ts'
import type { PasswordOrigin, User } from '../users/user.ts'
import { Profile, profileRoutes, type ProfileRoutesDeps } from './profile.routes.ts'
import type { ActiveSession } from './session/sessions.ts'

const made = (name: string, origin: PasswordOrigin = 'own'): User =>
  newUser({ name, role: 'viewer', hash: '', origin }, { clock: systemClock, random: systemRandom })
const users: readonly User[] = [
  made('Ann'),
  made('pia', 'printed'),
  made('gus', 'given'),
  { ...made('ola'), provider: { issuer: 'https://id.example', subject: 'ola', recheckAt: 0 } },
  { ...made('rex'), hasFactor: true, factorReset: { by: 'boss', at: 1000 } },
]

const deps: ProfileRoutesDeps = {
  users: { byKey: async (key) => users.find((user) => user.key === key) },
  sessions: { find: (id) => (id === 'old' ? ({ expiresAt: 2000 } as ActiveSession) : undefined) },
  settings: () => ({ enabled: true, oidc: { issuer: null } }),
  logoutUrl: () => null,
  proxy: () => ({ enabled: false, recheck_interval: 300 }),
  maxShareHours: () => 720,
  cameraNames: () => ['yard'],
}

const signedInAs = (authMethod: 'password' | 'oidc' | 'proxy', name: string, session?: string): Principal => ({
  kind: 'authenticated',
  authMethod,
  name,
  key: name.toLowerCase(),
  userId: authMethod === 'proxy' ? null : (users.find((user) => user.name === name)?.id ?? '1'),
  role: 'viewer',
  session,
})

function profile(identity: Identity, changed: Partial<ProfileRoutesDeps> = {}, more: Partial<Caller> = {}) {
  const [found] = profileRoutes({ ...deps, ...changed })
  const client = { basePath: '/base/' }
  const caller = { identity, client, isProxied: false, scope: {}, actions: [], ...more }
  return found!.handle!({} as Input<never>, caller as unknown as Caller)
}

const withToken: Principal = {
  ...signedInAs('password', 'Ann'),
  credential: { kind: 'token', id: 'token', name: 'Home', limits: {}, expiresAt: null },
}

describe('a profile', () => {
  test.each<[Identity, object]>([
    [
      signedInAs('password', 'Ann', 'old'),
      {
        auth: 'password',
        recheck_interval: null,
        expires_at: '1970-01-01T00:00:02.000Z',
        must_change_password: false,
        password_origin: 'own',
      },
    ],
    [
      signedInAs('password', 'pia'),
      { auth: 'password', expires_at: null, must_change_password: true, password_origin: 'printed' },
    ],
    [signedInAs('password', 'gus'), { must_change_password: true, password_origin: 'given' }],
    [
      { ...signedInAs('password', 'gus'), userId: 'an earlier gus' },
      { must_change_password: false, password_origin: null, second_factor: null },
    ],
    [
      signedInAs('proxy', 'pia'),
      {
        auth: 'proxy',
        key: null,
        recheck_interval: 300,
        expires_at: null,
        must_change_password: false,
        password_origin: null,
      },
    ],
    [
      internalAdmin,
      { auth: 'none', key: null, recheck_interval: null, must_change_password: false, password_origin: null },
    ],
  ])('of %j has %j', async (identity, expected) => {
    const found = await profile(identity)
    expect(found).toMatchObject({ allowed_cameras: ['yard'], logout_url: null, ...expected })
    expect(compiledValidator(Profile).Errors(found)).toEqual([])
  })

  test.each<[string, Identity, Partial<Caller>, object]>([
    ['its own name', { ...signedInAs('proxy', 'pia'), displayName: 'Pia P.' }, {}, { display_name: 'Pia P.' }],
    ['the actions of its role', internalAdmin, { actions: ['live'] }, { actions: ['live'] }],
    ...(['hours', 'not-yet', 'over', 'enrollment-required'] as const).map(
      (suspended): [string, Identity, Partial<Caller>, object] => [
        `why its role is suspended: ${suspended}`,
        internalAdmin,
        { suspended },
        { suspended },
      ],
    ),
    ['the age of what it sees', internalAdmin, { history: 2 * 86_400_000 }, { history_days: 2 }],
    ['no limit of that age', internalAdmin, {}, { history_days: null }],
    ['its API token', withToken, {}, { token: { id: 'token', name: 'Home' } }],
    [
      'no second factor, as it never had one',
      signedInAs('password', 'Ann'),
      {},
      { key: 'ann', second_factor: { has: false, reset: null } },
    ],
    [
      'a second factor, and who reset the one before',
      signedInAs('password', 'rex'),
      {},
      { second_factor: { has: true, reset: { by: 'boss', at: '1970-01-01T00:00:01.000Z' } } },
    ],
    [
      'neither a password nor a second factor here, and signs out at its provider',
      signedInAs('oidc', 'ola'),
      {},
      { auth: 'oidc', password_origin: null, second_factor: null, logout_url: '/base/api/logout' },
    ],
  ])('has %s', async (_what, identity, more, expected) => {
    const found = await profile(identity, {}, more)
    expect(found).toMatchObject(expected)
    expect(compiledValidator(Profile).Errors(found)).toEqual([])
  })

  test('has nothing that there is not', async () => {
    const link: Principal = { ...withToken, credential: { ...withToken.credential!, kind: 'link' } }
    const found = await profile(link)
    for (const name of ['token', 'suspended', 'display_name']) expect(found).not.toHaveProperty(name)
  })

  test('of a session that has been revoked since has no expiry', async () => {
    expect(await profile(signedInAs('password', 'Ann', 'revoked'))).toMatchObject({ expires_at: null })
  })

  const provider = 'https://id.example'
  test.each<[boolean, boolean, string | null, string[]]>([
    [true, false, null, ['password']],
    [true, true, null, ['password', 'proxy']],
    [true, false, provider, ['password', 'oidc']],
    [true, true, provider, ['password', 'oidc', 'proxy']],
    [false, false, provider, ['proxy']],
    [false, true, null, ['proxy']],
  ])('[PROXY-17] with auth.enabled %s, proxy.enabled %s and the issuer %s, users sign in by %j', async (...row) => {
    const [enabled, proxied, issuer, by] = row
    const changed = {
      settings: () => ({ enabled, oidc: { issuer } }),
      proxy: () => ({ enabled: proxied, recheck_interval: 300 }),
    }
    const found = await profile(internalAdmin, changed)
    expect(found).toMatchObject({ sign_in_methods: by })
    expect(compiledValidator(Profile).Errors(found)).toEqual([])
  })
})
