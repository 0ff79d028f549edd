import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { Roles } from '../../access/role.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { User } from '../../users/user.ts'
import { createSecretBox } from '../secret-box.ts'
import type { OidcConfig } from '../config/oidc.config.ts'
import { NotConfirmedError } from './provider/provider-failure.ts'
import { sealedTokens } from './provider-tokens.ts'
import type { ProviderFacts } from './provider/provider.ts'
import { createRecheck, type RecheckDeps } from './recheck.ts'

const issuer = 'https://id.lan'
const hour = 3_600_000
const facts: ProviderFacts = {
  issuer,
  subject: 'ann',
  claims: { groups: ['viewer'] },
  refreshToken: 'second',
  accessToken: 'access',
  idToken: undefined,
}
const box = createSecretBox('a'.repeat(64), 'gatehouse provider tokens', { bytes: (length) => randomBytes(length) })

const settings: OidcConfig = {
  issuer,
  name: null,
  client_id: 'gatehouse',
  client_secret: null,
  scopes: [],
  groups_claim: 'groups',
  role_map: new Map(),
  default_role: null,
  name_claim: 'preferred_username',
  recheck_interval: 300,
  only: false,
  emergency_user: null,
}

interface Situation {
  readonly issuer?: string | null
  readonly overdue?: number
  readonly owner?: string
  readonly isLeased?: boolean
  readonly isTakenOver?: boolean
  readonly isDeleted?: boolean
  readonly isOfProvider?: boolean
  readonly answer?: ProviderFacts | Error
}

/** Lets one due session be looked at. @returns what was done, in order */
async function doneIn({
  overdue = 0,
  owner = 'u',
  isLeased = true,
  isTakenOver = false,
  isDeleted = false,
  isOfProvider = true,
  answer = facts,
  ...more
}: Situation) {
  const clock = createTestClock()
  const done: string[] = []
  const published: string[] = []
  const warnings: object[] = []
  const names: string[] = []
  const note = (what: string) => async (): Promise<void> => void done.push(what)
  const user = {
    id: 'u',
    key: 'oidc:1',
    name: 'Ann',
    provider: isOfProvider ? { issuer, subject: 'ann', recheckAt: 0 } : null,
  }
  const sealed = sealedTokens({ ...facts, refreshToken: 'first', idToken: 'kept' }, { id: owner }, box)
  const provider = { sid: 's', ...sealed, recheckAt: clock.now() - overdue }
  const session = { id: 'session', userId: 'u', provider } as Session
  const setProviderSession = vi.fn(note('confirm session'))
  const recheck = createRecheck({
    clock,
    log: { ...silent, warn: (fields: object) => void warnings.push(fields) },
    box,
    publish: ({ kind }) => void published.push(kind),
    roles: () => ({ names: ['admin', 'viewer'] }) as unknown as Roles,
    settings: () => ({ ...settings, ...more }),
    provider: {
      async askAgain(subject, { refreshToken }, keep) {
        done.push(`ask about ${subject} with ${refreshToken}`)
        if (answer instanceof Error) throw answer
        await keep(answer)
        return answer
      },
    },
    store: {
      dueSessions: async () => (done.length === 0 ? [session] : []),
      leaseSession: async () => isLeased,
      userById: async () => (isDeleted ? undefined : (user as User)),
      async keepProviderToken(_id, former, token) {
        expect([former, token === former]).toEqual([sealed.token, false])
        done.push('keep token')
        return !isTakenOver
      },
      async confirmProviderUser(_id, { name }) {
        names.push(name)
        done.push('confirm user')
        return true
      },
      forgetConfirmation: note('forget user'),
      setProviderSession,
    },
    sessions: {
      async end(_id, { detail }) {
        done.push(`end: ${detail}`)
        return true
      },
      revokeAllOf: async (_id, entry) => void done.push(`end all: ${entry(1).detail}`),
    },
  })
  await clock.advance(2_000)
  await recheck.stop()
  expect(clock.pending()).toBe(0)
  return { done, published, warnings, names, setProviderSession, kept: provider }
}

const question = 'ask about ann with first'
test.each<[what: string, situation: Situation, done: readonly string[]]>([
  ['confirmed', {}, [question, 'keep token', 'confirm user', 'confirm session']],
  [
    'confirmed just before the hour is over',
    { overdue: hour - 2_001 },
    [question, 'keep token', 'confirm user', 'confirm session'],
  ],
  ['overdue by an hour', { overdue: hour }, ['forget user', 'end: provider-unavailable']],
  ['overdue by an hour at this moment', { overdue: hour - 2_000 }, ['forget user', 'end: provider-unavailable']],
  ['of a user who is no longer of a provider', { isOfProvider: false }, ['end: provider-changed']],
  ['of another provider', { issuer: 'https://other.lan' }, ['end: provider-changed']],
  ['without a provider', { issuer: null }, []],
  ['that another instance has', { isLeased: false }, []],
  ['that another instance took over, because this one was too slow', { isTakenOver: true }, [question, 'keep token']],
  ['of a user who was deleted', { isDeleted: true }, []],
  ['with tokens of another user', { owner: 'other' }, ['forget user', 'end: provider-denied']],
  ['that is refused', { answer: new NotConfirmedError('x') }, [question, 'forget user', 'end: provider-denied']],
  ['while the provider is out of reach', { answer: new TypeError('fetch failed') }, [question]],
  [
    'without a group that gives a role',
    { answer: { ...facts, claims: {} } },
    [question, 'keep token', 'forget user', 'end all: no-role'],
  ],
])('[OIDC-3] a session %s', async (_, situation, done) => {
  expect((await doneIn(situation)).done).toEqual(done)
})

test.each<[what: string, situation: Situation, published: readonly string[], warnings: number]>([
  ['confirmed', {}, ['user', 'session'], 0],
  ['of a user without a role', { answer: { ...facts, claims: {} } }, ['user'], 1],
  ['that is refused', { answer: new NotConfirmedError('x') }, ['user'], 0],
  ['while the provider is out of reach', { answer: new TypeError('fetch failed') }, [], 1],
  ['that another instance took over', { isTakenOver: true }, [], 1],
  ['of a user who was deleted', { isDeleted: true }, [], 0],
  ['due at this moment, of a deleted user', { isDeleted: true, overdue: -2_000 }, [], 0],
  ['due later by a clock that was ahead, of a deleted user', { isDeleted: true, overdue: -2_001 }, ['session'], 0],
])('[OIDC-3] [ROLE-10] other parts of the service hear of a session %s', async (_, situation, published, warnings) => {
  const at = await doneIn(situation)
  expect([at.published, at.warnings.length]).toEqual([published, warnings])
})

test('[OIDC-3] an instance that was too slow says so, not that the provider is unavailable', async () => {
  expect((await doneIn({ isTakenOver: true })).warnings).toEqual([{ user: 'Ann' }])
})

test.each([
  [{}, 'Ann'],
  [{ preferred_username: 'Ann Lee' }, 'Ann Lee'],
  [{ preferred_username: '' }, 'ann'],
])('[OIDC-2] a user with the claims %j is then called %s', async (claims, name) => {
  expect((await doneIn({ answer: { ...facts, claims: { ...facts.claims, ...claims } } })).names).toEqual([name])
})

test('[OIDC-3] a session keeps the id at the provider, and its ID token unless there is a new one', async () => {
  const { setProviderSession, kept } = await doneIn({})
  expect(setProviderSession).toHaveBeenCalledWith(
    'session',
    expect.not.stringMatching(kept.token),
    expect.objectContaining({ sid: 's', idToken: kept.idToken }),
  )
  const renewed = await doneIn({ answer: { ...facts, idToken: 'new' } })
  const [[, , { idToken }]] = renewed.setProviderSession.mock.calls as unknown as [
    [string, string, { idToken: string }],
  ]
  expect(box.open(idToken, 'u')).toBe('new')
})

test('[OIDC-3] the service asks about one batch of sessions at a time, and stops after it', async () => {
  const clock = createTestClock()
  let looks = 0
  const found = Promise.withResolvers<Session[]>()
  const recheck = createRecheck({
    clock,
    log: silent,
    settings: () => settings,
    store: {
      dueSessions: () => {
        looks += 1
        return found.promise
      },
    },
  } as unknown as RecheckDeps)
  await clock.advance(10_000)
  expect(looks).toBe(1)
  let isStopped = false
  const stopped = recheck.stop().then(() => (isStopped = true))
  await clock.advance(10_000)
  expect(isStopped).toBe(false)
  found.resolve([])
  await stopped
})

test('[OIDC-3] after a batch, the service looks for the next one', async () => {
  const clock = createTestClock()
  let looks = 0
  const recheck = createRecheck({
    clock,
    log: silent,
    settings: () => settings,
    store: {
      async dueSessions() {
        looks += 1
        if (looks === 2) throw new Error('no database')
        return []
      },
    },
  } as unknown as RecheckDeps)
  await clock.advance(8_000)
  expect(looks).toBe(4)
  await recheck.stop()
})
