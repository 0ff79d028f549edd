import { expect, test, vi } from 'vitest'
import { silent } from '../../../../test/support/null-log.ts'
import { createTestClock } from '../../../../test/support/test-clock.ts'
import type { User } from '../../../users/user.ts'
import { createProviderSignIn, type ProviderSignInDeps } from './provider-sign-in.ts'

const facts = {
  issuer: 'https://id.lan',
  subject: 'ann',
  claims: { groups: ['viewer'] },
  refreshToken: undefined,
  accessToken: 'a',
  idToken: 'i',
}
const from = {
  client: { address: '192.0.2.7' },
  userAgent: '',
  earlier: async () => ({ id: 'old' }),
} as unknown as Parameters<ReturnType<typeof createProviderSignIn>['begin']>[1]

/** @param stored changes of the user as the database has it */
function signInWith(stored: Partial<User>, session: object | undefined, claims: object = facts.claims) {
  const clock = createTestClock()
  /** The audit entry of a user who had this role before. */
  let entryFor: ((before: string | undefined) => object) | undefined
  const begin = vi.fn(async (user: User) => session && { user, ...session })
  const publish = vi.fn()
  const oidc = {
    issuer: facts.issuer,
    role_map: new Map(),
    groups_claim: 'groups',
    name_claim: 'name',
    recheck_interval: 300,
  }
  const signIn = createProviderSignIn({
    store: {
      async putProviderUser(user: User, entry: NonNullable<typeof entryFor>) {
        entryFor = entry
        return { ...user, ...stored }
      },
    },
    signIn: { begin },
    box: { seal: (text: string) => text, open: (text: string) => text },
    settings: () => ({ oidc: { ...oidc, default_role: null } }),
    roles: () => ({ names: ['admin', 'viewer'] }),
    publish,
    clock,
    random: { bytes: (length: number) => Buffer.alloc(length) },
    log: silent,
  } as unknown as ProviderSignInDeps)
  const begun = signIn.begin({ ...facts, claims: { ...claims } }, from, 7)
  return { begun, begin, publish, entryFor: (before: string | undefined) => entryFor?.(before) }
}

test.each<[what: string, stored: Partial<User>]>([
  ['whom an admin disabled', { disabled: true }],
  ['whose time is over', { expiresAt: 1 }],
])('[OIDC-1] a user %s gets no session', async (_, stored) => {
  const { begun, begin } = signInWith(stored, {})
  await expect(begun).rejects.toMatchObject({ code: 'forbidden' })
  expect(begin).not.toHaveBeenCalled()
})

test('[OIDC-1] a user who is deleted or disabled while the session begins gets none', async () => {
  const { begun } = signInWith({}, undefined)
  await expect(begun).rejects.toMatchObject({ code: 'forbidden' })
})

test('[OIDC-1] [TOK-12] a user with a role gets a session that replaces that of the browser', async () => {
  const { begun, begin, publish } = signInWith({}, {})
  const { user } = await begun
  expect(publish).toHaveBeenCalledWith({ kind: 'user', key: user.key })
  const atProvider = expect.objectContaining({ lastLogout: 7 }) as object
  expect(begin).toHaveBeenCalledWith(user, from, expect.objectContaining({ isSignIn: true, atProvider }))
})

test('[OIDC-1] [PROXY-7] a user without a role gets no session', async () => {
  const { begun, begin, publish } = signInWith({}, {}, {})
  await expect(begun).rejects.toMatchObject({ code: 'forbidden' })
  expect([begin, publish].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})

test.each<[before: string | undefined, entry: object]>([
  [undefined, { action: 'user.create', detail: 'viewer' }],
  ['admin', { action: 'user.role', detail: 'admin → viewer' }],
])('[AUD-1] a new user, or another role than %s, is in the audit log', async (before, entry) => {
  const { begun, entryFor } = signInWith({}, {})
  await begun
  const by = { result: 'success', user: 'ann', auth_method: 'oidc', address: '192.0.2.7', target: 'ann' }
  expect(entryFor(before)).toEqual({ ...by, ...entry })
})

test.each<[sid: unknown, kept: string | null]>([
  ['s1', 's1'],
  [7, null],
  [undefined, null],
])('[OIDC-4] the id %j of the session at the provider is kept as %j', async (sid, kept) => {
  const { begun, begin } = signInWith({}, {}, { ...facts.claims, sid })
  await begun
  expect(begin.mock.calls).toMatchObject([[{}, {}, { atProvider: { provider: { sid: kept } } }]])
})
