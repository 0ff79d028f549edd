import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from './support/engines.ts'
import { testSession } from './support/test-session.ts'
import { testUser } from './support/test-user.ts'
import type { Store } from '../src/store/store.ts'
import { accountStore } from '../src/users/accounts/account-store.sql.ts'
import { fakeAccountStore, withTestEntries, type FakedAccounts } from './support/fake-account-store.ts'

const session: typeof testSession = (id, owner, more) =>
  testSession(id, owner, { createdAt: 10, lastSeenAt: 20, expiresAt: 30, ...more })

const ann = testUser('Ann', { role: 'admin' })
const ben = testUser('ben')
const kim = testUser('kim', { role: 'admin', provider: { issuer: 'https://id.example', subject: 'kim', recheckAt: 5 } })
const dan = testUser('dan', { role: 'admin', disabled: true, factorVersion: 1 })
const fay = testUser('fay', { role: 'admin', expiresAt: 9 })
const users = [ann, ben, kim, dan, fay]
const sessions = [session('s1', ann), session('s2', ben, { createdAt: 11 }), session('s3', ben), session('s4', kim)]

const password = { hash: 'new', at: 7, origin: 'printed' } as const

type Accounts = ReturnType<typeof withTestEntries<FakedAccounts>>
type Call = (accounts: Accounts) => Promise<unknown>

/** The same, in an order that the store doesn't promise. */
const sorted = <Row>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

/** Calls of each method that the fake has, with the users and sessions above. */
const calls: Readonly<Record<keyof FakedAccounts, Readonly<Record<string, Call>>>> = {
  userByKey: {
    'of a user': (accounts) => accounts.userByKey('ann'),
    'of a name that isn’t a key': (accounts) => accounts.userByKey('Ann'),
  },
  usersByKey: {
    'of some who exist': async (accounts) => sorted(await accounts.usersByKey(['none', 'kim', 'ann'])),
    'of none': (accounts) => accounts.usersByKey([]),
  },
  userById: {
    'of a user': (accounts) => accounts.userById(ben.id),
    'of no user': (accounts) => accounts.userById('none'),
  },
  addUser: {
    'with a new name': (accounts) => accounts.addUser(testUser('eve')),
    'with a name in another case': (accounts) => accounts.addUser(testUser('BEN', { id: 'another' })),
  },
  setRole: {
    'of a user': (accounts) => accounts.setRole('ben', 'guard'),
    'of no user': (accounts) => accounts.setRole('none', 'guard'),
    'as expected': (accounts) => accounts.setRole('ben', 'guard', 'viewer'),
    'not as expected': (accounts) => accounts.setRole('ben', 'guard', 'admin'),
    'of the last admin': (accounts) => accounts.setRole('ann', 'viewer'),
    'of the last admin, to the same': (accounts) => accounts.setRole('ann', 'admin'),
    'of a provider’s admin': (accounts) => accounts.setRole('kim', 'viewer'),
    'of one of two admins': async (accounts) => [
      await accounts.setRole('ben', 'admin'),
      await accounts.setRole('ann', 'viewer'),
    ],
  },
  deleteUser: {
    'with sessions': (accounts) => accounts.deleteUser('ben'),
    'that does not exist': (accounts) => accounts.deleteUser('none'),
    'that is the last admin': (accounts) => accounts.deleteUser('ann'),
    'that is a provider’s admin': (accounts) => accounts.deleteUser('kim'),
  },
  setPassword: {
    'of a user': (accounts) => accounts.setPassword('ben', password),
    'of no user': (accounts) => accounts.setPassword('none', password),
    'of an expected version': (accounts) => accounts.setPassword('ben', password, 1),
    'of an earlier version': (accounts) => accounts.setPassword('ben', password, 0),
    'and then a session of the former one': async (accounts) => [
      await accounts.setPassword('ben', password),
      await accounts.addSession(session('s9', ben)),
    ],
  },
  replaceHash: {
    'that is current': (accounts) => accounts.replaceHash(ben.id, 'hash', 'raised'),
    'that is not current': (accounts) => accounts.replaceHash(ben.id, 'another', 'raised'),
    'of no user': (accounts) => accounts.replaceHash('none', 'hash', 'raised'),
  },
  session: {
    'that exists': (accounts) => accounts.session('s1'),
    'that does not exist': (accounts) => accounts.session('none'),
  },
  sessionsById: {
    'of some that exist': async (accounts) => sorted(await accounts.sessionsById(['s3', 'none', 's1'])),
    'of none': (accounts) => accounts.sessionsById([]),
  },
  sessions: {
    'of a user': (accounts) => accounts.sessions(ben.id),
    'of all': (accounts) => accounts.sessions(),
    'of no user': (accounts) => accounts.sessions('none'),
  },
  addSession: {
    'as a sign-in': (accounts) => accounts.addSession(session('s9', ben, { createdAt: 99 }), true),
    'not as a sign-in': (accounts) => accounts.addSession(session('s9', ben, { createdAt: 99 })),
    'of a disabled user': (accounts) => accounts.addSession(session('s9', dan), false, 1),
    'of no user': (accounts) => accounts.addSession(session('s9', testUser('none'))),
    'of another password': (accounts) => accounts.addSession(session('s9', ben, { credentialVersion: 2 })),
    'with other factors': (accounts) => accounts.addSession(session('s9', ben), true, 1),
    'in place of another': (accounts) => accounts.addSession(session('s9', ben), true, 0, 's1'),
    'in place of another, with other factors': (accounts) => accounts.addSession(session('s9', ben), true, 1, 's1'),
    'in place of none': (accounts) => accounts.addSession(session('s9', ben), true, 0, 'none'),
  },
  touch: {
    'with later times': (accounts) => accounts.touch([{ id: 's1', lastSeenAt: 21, expiresAt: 31 }], 21),
    'with earlier times': (accounts) => accounts.touch([{ id: 's1', lastSeenAt: 19, expiresAt: 29 }], 20 - 300_000),
    'with earlier times, after the clock was set back': (accounts) =>
      accounts.touch([{ id: 's1', lastSeenAt: 19, expiresAt: 29 }], 19 - 300_000),
    'of a session that does not exist': (accounts) =>
      accounts.touch([{ id: 'none', lastSeenAt: 21, expiresAt: 31 }], 21),
  },
  deleteSession: {
    'that exists': (accounts) => accounts.deleteSession('s1'),
    'that does not exist': (accounts) => accounts.deleteSession('none'),
  },
  deleteSessionsOf: {
    'of a user': async (accounts) => sorted(await accounts.deleteSessionsOf(ben.id)),
    'of a user but one': (accounts) => accounts.deleteSessionsOf(ben.id, 's2'),
    'of no user': (accounts) => accounts.deleteSessionsOf('none'),
  },
  deleteExpired: {
    'at their end': async (accounts) => sorted(await accounts.deleteExpired(30)),
    'after their end': async (accounts) => sorted(await accounts.deleteExpired(31)),
  },
}

/** What a call returns, and the users and sessions after it. */
async function outcomeOf(store: FakedAccounts, call: Call) {
  const accounts = withTestEntries(store)
  for (const user of users) await accounts.addUser(user)
  for (const each of sessions) await accounts.addSession(each)
  const result = await call(accounts)
  const keys = [...users.map(({ key }) => key), 'eve']
  const left = await Promise.all(keys.map((key) => accounts.userByKey(key)))
  return { result, users: left, sessions: await accounts.sessions() }
}

describe('the fake does what the store does', () => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await engines[0]!.create()
    store = await database.open()
  })
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  const table = Object.entries(calls).flatMap(([method, cases]) =>
    Object.entries(cases).map(([title, call]) => [method, title, call] as const),
  )
  test.each(table)('%s %s', async (_method, _title, call) => {
    expect(await outcomeOf(fakeAccountStore(), call)).toEqual(await outcomeOf(accountStore(store), call))
  })
})
