import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testSession as session } from '../../../test/support/test-session.ts'
import { testUser as user } from '../../../test/support/test-user.ts'
import { blockOf, unblockedUsers, type BlockSettings } from '../../auth/user-block.ts'
import type { ChangeMessage, Store } from '../../store/store.ts'
import type { AccountStore, RecheckTimes, UserFilter, UserOrder } from './account-store.ts'
import type { User } from '../user.ts'
import { accountStore } from './account-store.sql.ts'
import { withTestEntries } from '../../../test/support/fake-account-store.ts'
import { testEntry } from '../../../test/support/test-entry.ts'

const everyone = { order: 'username', down: false, after: undefined, limit: 10_000 } as const

const password = { hash: 'new', at: 1_700_000_001_000, origin: 'printed' } as const

const valueOf = (one: User, order: UserOrder) =>
  ({ username: one.key, role: one.role, last_login_at: one.lastLoginAt ?? 0, created_at: one.createdAt })[order]

const recheckAt = (now: number): RecheckTimes => ({
  now,
  maxRecheckAt: now + 360_000,
  leaseUntil: now + 60_000,
  maxLease: now + 120_000,
})

const withEntries = (accounts: AccountStore) => ({
  ...withTestEntries(accounts),
  addFirstUser: (first: User) => accounts.addFirstUser(first, testEntry),
  finishRoleDeletion: (role: string, owner: string) => accounts.finishRoleDeletion(role, owner, () => [testEntry]),
})

describe.each(engines)('accounts on $name', ({ engine, create }) => {
  let database: TestDatabase
  let store: Store
  let other: Store
  let accounts: ReturnType<typeof withEntries>
  let elsewhere: ReturnType<typeof withEntries>
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    other = await database.open()
    accounts = withEntries(accountStore(store))
    elsewhere = withEntries(accountStore(other))
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  const ann = user('Ann', { role: 'admin' })
  const ben = user('ben')
  const added = async (...users: User[]) => {
    for (const each of users) expect(await accounts.addUser(each)).toBe('added')
  }

  test('a user is read as it was written', async () => {
    const whole = user('Ann', { passwordOrigin: 'printed', lastLoginAt: 1_700_000_000_456 })
    await added(whole)
    expect(await accounts.userByKey('ann')).toEqual(whole)
    expect(await accounts.userById(whole.id)).toEqual(whole)
    expect(await accounts.userByKey('Ann')).toBeUndefined()
    expect(await accounts.userById('another')).toBeUndefined()
  })

  test.each([0, 1, 2, 3, 5, 8])(
    '%i users and sessions are found at once, each as it was written, without what no request is decided by',
    async (count) => {
      const users = Array.from({ length: 6 }, (_, nth) => user(`user${nth}`, { expiresAt: 1_800_000_000_000 + nth }))
      await added(...users)
      const provider = { sid: 'p', token: 'sealed', idToken: 'sealed', recheckAt: 1_800_000_000_000 }
      const sessions = users.map((each, nth) =>
        session(`s${nth}`, each, { confirmedAt: nth, provider: nth % 2 === 0 ? null : provider }),
      )
      for (const each of sessions) expect(await accounts.addSession(each)).toBe(true)
      const cachedUsers = users.map(({ passwordHash: _hash, ...kept }) => kept)
      const cachedSessions = sessions.map(({ address: _address, userAgent: _userAgent, provider, ...kept }) => ({
        ...kept,
        provider: provider && { recheckAt: provider.recheckAt },
      }))
      const found = (all: readonly object[]) => expect.arrayContaining(all.slice(0, count))
      const keysOf = (name: string) => Array.from({ length: count }, (_, nth) => `${name}${nth}`)
      const expected = Math.min(count, users.length)
      for (const strange of [[], ['none', 'a\0b']]) {
        const byKey = await accounts.usersByKey([...strange, ...keysOf('user')])
        expect([byKey.length, byKey]).toEqual([expected, found(cachedUsers)])
        const byId = await accounts.sessionsById([...strange, ...keysOf('s')])
        expect([byId.length, byId]).toEqual([expected, found(cachedSessions)])
      }
    },
  )

  test('[USER-1] a name is given once, whatever its case, also by two concurrent requests', async () => {
    const results = await Promise.all([
      accounts.addUser(user('Bob')),
      elsewhere.addUser(user('BOB', { id: 'another' })),
      accounts.addUser(user('bob', { id: 'a third' })),
    ])
    expect(results.sort()).toEqual(['added', 'taken', 'taken'])
    expect(await accounts.users(everyone)).toHaveLength(1)
  })

  test('users come by name', async () => {
    await added(user('zoe'), user('Max'), user('max_2'), user('_a1'), ann)
    expect((await accounts.users(everyone)).map(({ name }) => name)).toEqual(['_a1', 'Ann', 'Max', 'max_2', 'zoe'])
  })

  const lists: [UserOrder, string[]][] = [
    ['username', ['a%c', 'a\\c', 'a_c', 'abc', 'bob', 'zoe']],
    ['role', ['bob', 'abc', 'zoe', 'a%c', 'a\\c', 'a_c']],
    ['last_login_at', ['a%c', 'a\\c', 'a_c', 'zoe', 'abc', 'bob']],
    ['created_at', ['abc', 'bob', 'a%c', 'a\\c', 'a_c', 'zoe']],
  ]
  const some = () =>
    added(
      user('zoe', { role: 'guard', lastLoginAt: 5 }),
      user('Bob', { role: 'admin', lastLoginAt: 7, createdAt: 2 }),
      user('abc', { role: 'gone', lastLoginAt: 6, createdAt: 1 }),
      ...['a_c', 'a%c', 'a\\c'].map((name) => user(name)),
    )
  test.each(lists)('users come by %s, upward and downward, the same in pages', async (order, names) => {
    await some()
    for (const down of [false, true]) {
      const inOrder = down ? names.toReversed() : names
      for (const limit of [1, 2, 10]) {
        const found: User[] = []
        for (;;) {
          const last = found.at(-1)
          const after = last && { value: valueOf(last, order), key: last.key }
          const page = await accounts.users({ order, down, after, limit })
          found.push(...page)
          if (page.length < limit) break
        }
        expect(found.map(({ key }) => key)).toEqual(inOrder)
      }
    }
  })

  const id = 'https://id.example'
  const settings = { oidc: { issuer: null, only: false, emergency_user: null }, mfa: { required_for: [] } }
  test.each<[string, BlockSettings, string[]]>([
    ['nothing configured', settings, ['ann', 'bob', 'cora']],
    ['a provider', { ...settings, oidc: { ...settings.oidc, issuer: id } }, ['ann', 'bob', 'cora', 'kim']],
    ['only a provider', { ...settings, oidc: { issuer: id, only: true, emergency_user: null } }, ['kim']],
    ['an emergency user', { ...settings, oidc: { issuer: id, only: true, emergency_user: 'Bob' } }, ['bob', 'kim']],
    [
      'an emergency user who is no admin',
      { ...settings, oidc: { issuer: id, only: true, emergency_user: 'ann' } },
      ['kim'],
    ],
    [
      'factors',
      { oidc: { ...settings.oidc, issuer: id }, mfa: { required_for: ["x'\0", 'viewer'] } },
      ['bob', 'cora', 'kim'],
    ],
  ])(
    '[OIDC-1] [MFA-2] users to whom the configuration gives access are found as decided for each: %s',
    async (_, set, keys) => {
      const provider = { issuer: id, subject: 'kim', recheckAt: 0 }
      const users = [
        user('ann', { role: 'viewer' }),
        user('bob', { role: 'admin' }),
        user('cora', { role: 'viewer', hasFactor: true }),
        user('kim', { role: 'viewer', provider }),
        user('lou', { role: 'viewer', provider: { ...provider, issuer: 'https://other.example', subject: 'lou' } }),
      ]
      await added(...users)
      const unblocked = unblockedUsers(set)
      expect((await accounts.users({ ...everyone, unblocked })).map(({ key }) => key)).toEqual(keys)
      expect(await accounts.countUsers({ unblocked })).toBe(keys.length)
      expect(users.filter((one) => blockOf(one, set) === null).map(({ key }) => key)).toEqual(keys)
    },
  )

  test.each<[UserFilter, string[]]>([
    [{ search: 'b' }, ['abc', 'bob']],
    [{ search: '%' }, ['a%c']],
    [{ search: '_' }, ['a_c']],
    [{ search: '\\' }, ['a\\c']],
    [{ search: "'\0" }, []],
    [{ role: 'guard' }, ['zoe']],
    [{ role: 'gu%' }, []],
    [{ role: 'a\0' }, []],
    [{ roles: ['guard', 'admin', "'\0"] }, ['bob', 'zoe']],
    [{ roles: ['viewer'], search: '%' }, ['a%c']],
    [{ roles: ['guard', 'gone'], existing: { roles: ['guard'], holds: true } }, ['zoe']],
    [{ roles: ['guard'], role: 'viewer' }, []],
    [{ roles: [] }, []],
    [{ existing: { roles: ['guard'], holds: false } }, ['abc']],
    [{ existing: { roles: ['gone'], holds: true } }, ['a%c', 'a\\c', 'a_c', 'abc', 'bob']],
    [{ existing: { roles: [], holds: false }, search: 'z' }, ['zoe']],
    [{ search: 'b', role: 'admin' }, ['bob']],
    [{ provider: true }, ['kim']],
    [{ provider: false, roles: ['guard', 'admin'] }, ['bob', 'zoe']],
    [{ roles: ['over'] }, ['disabled', 'expired', 'expiring', 'staying']],
    [{ roles: ['over'], activeAt: 10 }, ['expiring', 'staying']],
    [{ roles: ['over'], activeAt: 9 }, ['expired', 'expiring', 'staying']],
  ])('users that fit %j are found and counted', async (filter, names) => {
    await some()
    if (filter.roles?.includes('over') === true) {
      const role = 'over'
      await added(
        user('disabled', { role, disabled: true }),
        user('expired', { role, expiresAt: 10 }),
        user('expiring', { role, expiresAt: 11 }),
        user('staying', { role }),
      )
    }
    if (filter.provider !== undefined)
      await added(user('kim', { provider: { issuer: 'https://id.example', subject: 'kim', recheckAt: 0 } }))
    expect((await accounts.users({ ...everyone, ...filter })).map(({ key }) => key)).toEqual(names)
    expect(await accounts.countUsers(filter)).toBe(names.length)
  })

  test.each([
    ['Иван', 'иван', 'ва'],
    ['Émile', 'émile', 'mi'],
    ['Åsa', 'åsa', 'sa'],
    ['ΣΟΦΙΑ', 'σοφια', 'φ'],
    ['50%_Ж', '50%_ж', '%_ж'],
  ])("[OIDC-2] a provider's user %s is found by the name in lower case and by a part of it", async (name, ...parts) => {
    const key = `oidc:${'1'.repeat(64)}`
    await added(
      user(name, { key, provider: { issuer: 'https://id.example', subject: 's', recheckAt: 0 } }),
      user('Other', {
        key: `oidc:${'2'.repeat(64)}`,
        provider: { issuer: 'https://id.example', subject: 'o', recheckAt: 0 },
      }),
    )
    for (const search of parts) {
      const found = await accounts.users({ ...everyone, search })
      expect([search, found.map((each) => each.name), await accounts.countUsers({ search })]).toEqual([
        search,
        [name],
        1,
      ])
    }
  })

  test('a name that no database can store belongs to no user', async () => {
    expect(await accounts.userByKey('a\0b')).toBeUndefined()
    expect(await accounts.userByKey('\ud800')).toBeUndefined()
    expect(await accounts.setRole('a\0b', 'viewer')).toBe('absent')
    expect(await accounts.deleteUser('a\0b')).toBe('absent')
    expect(await accounts.setPassword('a\0b', password)).toBe('absent')
    expect(await accounts.session('a\0b')).toBeUndefined()
    expect(await accounts.deleteSession('a\0b')).toBe(false)
  })

  test.each(['constructor', '__proto__', "'; drop table session; --", '%'])(
    '%s is a name like another',
    async (key) => {
      await added(user(key, { role: key }))
      expect((await accounts.userByKey(key))?.name).toBe(key)
      expect((await accounts.roleCounts()).get(key)).toBe(1)
    },
  )

  test('counts users by role', async () => {
    await added(ann, ben, user('cat'))
    expect(await accounts.roleCounts()).toEqual(
      new Map([
        ['admin', 1],
        ['viewer', 2],
      ]),
    )
  })

  test('[BOOT-1] the first user is added once, also by many concurrent starts, and never beside another user', async () => {
    expect(await accounts.hasUsers()).toBe(false)
    const all = Array.from({ length: 8 }, (_, nth) => user(`admin${nth}`, { role: 'admin' }))
    const results = await Promise.all(all.map((each, nth) => (nth % 2 ? accounts : elsewhere).addFirstUser(each)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await accounts.users(everyone)).toHaveLength(1)
    expect(await accounts.hasUsers()).toBe(true)
  })

  test('[USER-6] the last admin is neither deleted nor given another role', async () => {
    await added(ann, ben)
    expect(await accounts.setRole('ann', 'viewer')).toBe('last-admin')
    expect(await accounts.deleteUser('ann')).toBe('last-admin')
    expect(await accounts.setRole('ann', 'admin')).toBe('changed')
    expect(await accounts.setRole('ben', 'admin')).toBe('changed')
    expect(await accounts.setRole('ann', 'guard')).toBe('changed')
    expect(await accounts.deleteUser('ben')).toBe('last-admin')
    expect(await accounts.deleteUser('unknown')).toBe('absent')
    expect(await accounts.setRole('unknown', 'admin')).toBe('absent')
  })

  test('a role is changed only if the user still has the expected one, also by two concurrent requests', async () => {
    await added(ann, ben)
    await accounts.setRole('ben', 'guard')
    expect(await accounts.setRole('ben', 'admin', 'viewer')).toBe('stale')
    expect(await accounts.setRole('unknown', 'admin', 'viewer')).toBe('absent')
    const both = await Promise.all([
      accounts.setRole('ben', 'viewer', 'guard'),
      elsewhere.setRole('ben', 'neighbor', 'guard'),
    ])
    expect(both.sort()).toEqual(['changed', 'stale'])
  })

  test('[USER-6] many concurrent requests that demote and delete all admins leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      await emptied(store)
      const admins = Array.from({ length: 6 }, (_, nth) => user(`a${nth}`, { role: 'admin' }))
      await added(...admins)
      const results = await Promise.all(
        admins.map(({ key }, nth) => {
          const from = nth % 2 ? accounts : elsewhere
          return nth % 3 ? from.setRole(key, 'viewer') : from.deleteUser(key)
        }),
      )
      expect(results.filter((result) => result === 'last-admin')).toHaveLength(1)
      expect((await accounts.roleCounts()).get('admin')).toBe(1)
    }
  })

  test('[TOK-9] deleting a user deletes their sessions, and a new user with the same name has none', async () => {
    await added(ann, ben)
    expect(await accounts.addSession(session('s1', ben))).toBe(true)
    expect(await accounts.deleteUser('ben')).toBe('deleted')
    expect(await accounts.session('s1')).toBeUndefined()
    await added(user('ben', { id: 'another' }))
    expect(await accounts.sessions('another')).toEqual([])
    expect(await accounts.addSession(session('s2', ben))).toBe(false)
  })

  test('[ROLE-10] a change of a deleted user is none of the next user with the same name', async () => {
    await added(ann, ben)
    await accounts.deleteUser('ben')
    const next = user('ben', { id: 'another' })
    await added(next)
    const { setRole, setStatus, setPassword, deleteUser } = accountStore(store)
    const results = [
      await setRole(ben.id, { role: 'admin', generation: 0 }, () => testEntry),
      await setStatus(ben.id, { disabled: true }, testEntry),
      await setPassword(ben.id, password, testEntry),
      await deleteUser(ben.id, testEntry),
    ]
    expect(results).toEqual(results.map(() => 'absent'))
    expect(await accounts.userByKey('ben')).toEqual(next)
  })

  test('[TOK-7] a new password raises the version and ends every session of that user', async () => {
    await added(ann, ben)
    await accounts.addSession(session('s1', ben))
    await accounts.addSession(session('s2', ann))
    expect(await accounts.setPassword('ben', password)).toBe('changed')
    expect(await accounts.userByKey('ben')).toEqual({
      ...ben,
      passwordHash: 'new',
      passwordSetAt: password.at,
      passwordOrigin: 'printed',
      credentialVersion: 2,
    })
    expect((await accounts.sessions()).map(({ id }) => id)).toEqual(['s2'])
    expect(await accounts.addSession(session('s3', ben))).toBe(false)
    expect(await accounts.setPassword('unknown', password)).toBe('absent')
  })

  test('[TOK-7] of two password changes against the same old one, one is stale', async () => {
    await added(ann)
    const results = await Promise.all([
      accounts.setPassword('ann', { ...password, hash: 'x' }, 1),
      elsewhere.setPassword('ann', { ...password, hash: 'y' }, 1),
    ])
    expect(results.sort()).toEqual(['changed', 'stale'])
    expect((await accounts.userByKey('ann'))?.credentialVersion).toBe(2)
  })

  test('[TOK-7] no session of an old password outlives its change, however close they come', async () => {
    await added(ann)
    for (let version = 1; version <= 20; version += 1) {
      const owner = user('Ann', { credentialVersion: version })
      await Promise.all([
        elsewhere.addSession(session(`s${version}`, owner)),
        accounts.setPassword('ann', password, version),
      ])
      expect(await accounts.sessions()).toEqual([])
    }
  })

  test('[USER-3] a raised hash replaces only the very one it was made from', async () => {
    await added(ann)
    await accounts.replaceHash(ann.id, 'another', 'raised')
    expect((await accounts.userByKey('ann'))?.passwordHash).toBe('hash')
    await accounts.replaceHash(ann.id, 'hash', 'raised')
    expect(await accounts.userByKey('ann')).toEqual({ ...ann, passwordHash: 'raised' })
  })

  test('[USER-5] a sign-in is the user’s last login, and a session that goes on after a new password is not', async () => {
    await added(ann)
    await accounts.addSession(session('s1', ann, { createdAt: 1_700_000_000_789 }), true)
    await accounts.addSession(session('s2', ann, { createdAt: 1_700_000_000_999 }), false)
    expect((await accounts.userByKey('ann'))?.lastLoginAt).toBe(1_700_000_000_789)
  })

  test('[ROLE-7] users whose role is missing are found, by role and name, and nothing about them changes', async () => {
    await added(ann, ben, user('cat', { role: 'guard' }), user('eve', { role: 'yard' }), user('Dan', { role: 'yard' }))
    await added(user('fay', { role: 'Guard' }))
    const guard = { role: 'Guard', users: ['fay'], count: 1 }
    // Each engine has its own order of upper case.
    const orphans = async (limit: number) =>
      (await accounts.orphans(['admin', 'viewer', 'guard'], limit)).toSorted((one, other) =>
        one.role < other.role ? -1 : 1,
      )
    expect(await orphans(10)).toEqual([guard, { role: 'yard', users: ['Dan', 'eve'], count: 2 }])
    // More users than are named hide neither a role nor how many they are.
    expect(await orphans(1)).toEqual([guard, { role: 'yard', users: ['Dan'], count: 2 }])
    expect(await accounts.orphans(['guard', 'Guard', 'yard'], 10)).toEqual([])
    expect((await accounts.users(everyone)).map(({ role }) => role).toSorted()).toEqual(
      ['Guard', 'admin', 'guard', 'viewer', 'yard', 'yard'].toSorted(),
    )
  })

  test('[ROLE-7] holds with ten thousand roles', async () => {
    await added(ann, user('cat', { role: 'r9999' }), user('dan', { role: 'gone' }))
    const existing = Array.from({ length: 40_000 }, (_, nth) => `r${nth}`)
    expect(await accounts.orphans(existing, 10)).toEqual([{ role: 'gone', users: ['dan'], count: 1 }])
  })

  test('[ROLE-7] only a deletion that was begun, and not canceled, makes viewers of users', async () => {
    await added(ann, user('cat', { role: 'guard' }), user('Dan', { role: 'guard' }), user('eve', { role: 'yard' }))
    const by = { user: 'Ann', auth_method: 'password', address: '192.0.2.7' } as const
    const note = { role: 'guard', owner: 'one', at: 1_700_000_000_000, by }
    const roles = async () => (await accounts.users(everyone)).map(({ role }) => role)
    expect(await accounts.finishRoleDeletion('guard', 'one')).toBeUndefined()
    await accounts.beginRoleDeletion({ ...note, at: 1 })
    await accounts.beginRoleDeletion(note)
    await accounts.beginRoleDeletion({ ...note, owner: 'two' })
    expect(await accounts.roleDeletions('one')).toEqual([note])
    expect(await elsewhere.finishRoleDeletion('guard', 'three')).toBeUndefined()
    await accounts.cancelRoleDeletion('guard', 'one')
    expect(await accounts.finishRoleDeletion('guard', 'one')).toBeUndefined()
    expect(await accounts.roleDeletions('two')).toHaveLength(1)
    await accounts.cancelRoleDeletion('guard')
    expect(await accounts.finishRoleDeletion('guard', 'two')).toBeUndefined()
    expect(await roles()).toEqual(['admin', 'guard', 'guard', 'yard'])
    await accounts.beginRoleDeletion(note)
    const moved = await accounts.finishRoleDeletion('guard', 'one')
    expect(moved?.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'cat', name: 'cat' },
      { key: 'dan', name: 'Dan' },
    ])
    expect(await roles()).toEqual(['admin', 'viewer', 'viewer', 'yard'])
    expect(await accounts.roleDeletions('one')).toEqual([])
  })

  test('[ROLE-7] [USER-4] a user gets only the role that was found to exist, not a later one with its name', async () => {
    await added(ann)
    const by = { user: 'Ann', auth_method: 'password', address: '192.0.2.7' } as const
    const before = await accounts.roleGeneration('guard')
    await accounts.beginRoleDeletion({ role: 'guard', owner: 'one', at: 1, by })
    await accounts.finishRoleDeletion('guard', 'one')
    const between = await elsewhere.roleGeneration('guard')
    await elsewhere.endInvitations('guard', () => [])
    for (const earlier of [before, between]) {
      expect(await accounts.addUser(user('ben', { role: 'guard' }), earlier)).toBe('role-replaced')
      expect(await accounts.setRole('ann', 'guard', undefined, earlier)).toBe('role-replaced')
    }
    expect((await accounts.users(everyone)).map(({ role }) => role)).toEqual(['admin'])
    const now = await accounts.roleGeneration('guard')
    expect(await accounts.addUser(user('ben', { role: 'guard' }), now)).toBe('added')
    expect(await accounts.setRole('ben', 'viewer')).toBe('changed')
    expect(await accounts.setRole('ben', 'guard', undefined, now)).toBe('changed')
  })

  test('sessions come newest first, of one or of all', async () => {
    await added(ann, ben)
    const s1 = session('s1', ann, { createdAt: 1 })
    const s2 = session('s2', ben, { createdAt: 3 })
    const s3 = session('s3', ann, { createdAt: 2 })
    for (const each of [s1, s2, s3]) expect(await accounts.addSession(each)).toBe(true)
    expect(await accounts.sessions()).toEqual([s2, s3, s1])
    expect(await accounts.sessions(ann.id)).toEqual([s3, s1])
    expect(await accounts.session('s2')).toEqual(s2)
  })

  test('lists longer than a chunk are whole and in order', async () => {
    await added(ann)
    const many = Array.from({ length: 4_001 }, (_, nth) => nth)
    const values = many.map((nth) => {
      const { id } = ann
      const row = { credential_version: 1, last_seen_at: 0, expires_at: nth, address: '', user_agent: '' }
      // Two of each time, so that a chunk ends between two of the same.
      return { ...row, id: `s${nth}`, user_id: id, created_at: Math.floor(nth / 3) }
    })
    for (let at = 0; at < values.length; at += 1_000) {
      await store.db
        .insertInto('session')
        .values(values.slice(at, at + 1_000))
        .execute()
    }
    const found = await accounts.sessions()
    expect(new Set(found.map(({ id }) => id)).size).toBe(4_001)
    expect(found.every(({ createdAt }, nth) => nth === 0 || createdAt <= (found[nth - 1]?.createdAt ?? 0))).toBe(true)
    await accounts.touch(
      found.map(({ id }) => ({ id, lastSeenAt: 7, expiresAt: 9_000 })),
      7,
    )
    expect((await accounts.sessions(ann.id)).every(({ lastSeenAt }) => lastSeenAt === 7)).toBe(true)
    const deleted: string[] = []
    for (let some = await accounts.deleteExpired(9_001); some.length > 0; some = await accounts.deleteExpired(9_001)) {
      deleted.push(...some)
    }
    expect([new Set(deleted).size, await accounts.sessions()]).toEqual([4_001, []])
  }, 60_000)

  test('session activity is saved, never backward, and restores no deleted session', async () => {
    await added(ann)
    await accounts.addSession(session('s1', ann, { lastSeenAt: 10, expiresAt: 100 }))
    await accounts.addSession(session('s2', ann, { lastSeenAt: 10, expiresAt: 100 }))
    const seen = [
      { id: 's1', lastSeenAt: 20, expiresAt: 200 },
      { id: 's2', lastSeenAt: 5, expiresAt: 50 },
      { id: 'gone', lastSeenAt: 20, expiresAt: 200 },
    ]
    await accounts.touch(seen, 20)
    await accounts.touch([], 20)
    expect(await accounts.session('s1')).toMatchObject({ lastSeenAt: 20, expiresAt: 200 })
    expect(await accounts.session('s2')).toMatchObject({ lastSeenAt: 10, expiresAt: 100 })
    expect(await accounts.session('gone')).toBeUndefined()
  })

  test('session activity of a clock that was hours ahead is set back, and its expiry stays', async () => {
    await added(ann)
    const now = 1_700_000_000_000
    const ahead = { lastSeenAt: now + 3_600_000, expiresAt: now + 9_000_000 }
    await accounts.addSession(session('s1', ann, ahead))
    const seen = { id: 's1', lastSeenAt: now - 5, expiresAt: now + 8_000_000 }
    // What another instance saw a moment ago, with a clock that is a little ahead.
    await accounts.touch([seen], ahead.lastSeenAt - 300_000)
    expect(await accounts.session('s1')).toMatchObject(ahead)
    await accounts.touch([seen], ahead.lastSeenAt - 300_001)
    expect(await accounts.session('s1')).toMatchObject({ ...ahead, lastSeenAt: now - 5 })
  })

  const logouts = () => store.db.selectFrom('audit').select('target').where('target', '=', 'replaced').execute()

  test('[TOK-12] a new session ends the one that it replaces, both or neither', async () => {
    await added(ann, ben)
    await accounts.addSession(session('s1', ben))
    const replaced = { id: 's1', entry: { ...testEntry, target: 'replaced' } }
    const begin = (id: string, version: number) =>
      accountStore(store).addSession(
        session(id, ann),
        { factorVersion: version, provider: null },
        true,
        null,
        0,
        replaced,
      )
    expect(await begin('s2', 7)).toBe(false)
    expect([await accounts.session('s1'), await logouts()]).toMatchObject([{ id: 's1' }, []])
    expect(await begin('s3', 0)).toBe(true)
    expect([await accounts.session('s1'), await accounts.session('s3')]).toMatchObject([undefined, { id: 's3' }])
    expect(await begin('s4', 0)).toBe(true)
    expect(await logouts()).toHaveLength(1)
  })

  test('sessions end one by one, all of a user, or all but one', async () => {
    await added(ann, ben)
    for (const id of ['s1', 's2', 's3']) await accounts.addSession(session(id, ann))
    await accounts.addSession(session('s4', ben))
    expect(await accounts.deleteSession('s1')).toBe(true)
    expect(await accounts.deleteSession('s1')).toBe(false)
    expect(await accounts.deleteSessionsOf(ann.id, 's2')).toEqual(['s3'])
    expect(await accounts.deleteSessionsOf(ann.id)).toEqual(['s2'])
    expect((await accounts.sessions()).map(({ id }) => id)).toEqual(['s4'])
  })

  test('[RATE-7] addresses of live sessions are listed, those of the latest sessions first', async () => {
    await added(ann, ben)
    const rows = [
      ['s1', ann, '192.0.2.1', 10, 100],
      ['s2', ann, '192.0.2.2', 20, 100],
      ['s3', ben, '192.0.2.1', 30, 100],
      ['s4', ben, '2001:db8::1', 15, 100],
      ['s5', ben, '192.0.2.9', 40, 50],
    ] as const
    for (const [id, user, address, createdAt, expiresAt] of rows)
      await accounts.addSession(session(id, user, { address, createdAt, expiresAt }))
    expect(await accounts.sessionAddresses(50, 9)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect(await accounts.sessionAddresses(50, 2)).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  test('expired sessions are forgotten', async () => {
    await added(ann)
    await accounts.addSession(session('s1', ann, { expiresAt: 10 }))
    await accounts.addSession(session('s2', ann, { expiresAt: 11 }))
    expect([await accounts.deleteExpired(11), await accounts.deleteExpired(11)]).toEqual([['s1'], []])
    expect((await accounts.sessions()).map(({ id }) => id)).toEqual(['s2'])
  })

  test.each<[by: number, isFree: boolean]>([
    [0, false],
    // The clock of the instance is behind, by less than it may be; or it was set back.
    [-1, false],
    [-59_000, false],
    [-3_600_000, true],
    [59_000, false],
    [60_000, true],
  ])('[OIDC-3] a reserved re-check, seen by a clock that is %d ms further, is free: %s', async (by, isFree) => {
    const provider = { sid: null, token: 'sealed', idToken: '', recheckAt: 1_800_000_000_000 }
    const kim = user('kim', {
      provider: { issuer: 'https://id.example', subject: 'kim', recheckAt: provider.recheckAt },
    })
    await added(kim)
    const one = session('s1', kim, { provider })
    await accounts.addSession(one)
    const due = provider.recheckAt + 2_000
    expect(await accounts.leaseSession(one, recheckAt(due))).toBe(true)
    expect(await elsewhere.leaseSession(one, recheckAt(due + by))).toBe(isFree)
  })

  test('[OIDC-3] an instance whose re-check took too long replaces no newer tokens', async () => {
    const provider = { sid: null, token: 'first', idToken: '', recheckAt: 0 }
    const kim = user('kim', { provider: { issuer: 'https://id.example', subject: 'kim', recheckAt: 0 } })
    await added(kim)
    await accounts.addSession(session('s1', kim, { provider }))
    const kept = async () => (await accounts.session('s1'))?.provider?.token
    expect(await elsewhere.keepProviderToken('s1', 'first', 'second')).toBe(true)
    expect(await accounts.keepProviderToken('s1', 'first', 'late')).toBe(false)
    await accounts.setProviderSession('s1', 'first', { ...provider, token: 'late' })
    expect(await kept()).toBe('second')
    await elsewhere.setProviderSession('s1', 'second', { ...provider, token: 'third' })
    expect(await kept()).toBe('third')
  })

  test('a disabled user gets no session, not even by a password that was checked before', async () => {
    await added(ben)
    await accounts.setStatus(ben.id, { disabled: true }, testEntry)
    expect(await accounts.addSession(session('s1', ben))).toBe(false)
    await accounts.setStatus(ben.id, { disabled: false }, testEntry)
    expect(await accounts.addSession(session('s1', ben))).toBe(true)
    expect(await accounts.setStatus(ben.id, { disabled: true }, testEntry)).toEqual({ ended: ['s1'] })
  })

  describe.runIf(engine === 'postgres')('another instance', () => {
    const onChange: ChangeMessage[] = []
    beforeAll(() => void other.changes.subscribe((message) => onChange.push(message)))
    const last = { message: { kind: 'last' } }
    /** The changes since the last call, once all have arrived: PostgreSQL delivers them in the order of their commits. */
    const arrived = async (): Promise<ChangeMessage[]> => {
      await store.transaction((within) => store.changes.announce(last.message, within))
      await expect.poll(() => onChange.at(-1)).toEqual(last)
      return onChange.splice(0).slice(0, -1)
    }

    test('[ROLE-10] hears of every change that matters, and the one who made it does not', async () => {
      const own: ChangeMessage[] = []
      const end = store.changes.subscribe((message) => own.push(message))
      await added(ann, ben)
      await accounts.addSession(session('s1', ben))
      await accounts.addSession(session('s2', ben))
      await arrived()
      await accounts.setRole('ben', 'guard')
      await accounts.setPassword('ann', password)
      await accounts.deleteSession('s1')
      await accounts.deleteSessionsOf(ben.id)
      const by = { user: null, auth_method: null, address: null }
      await accounts.beginRoleDeletion({ role: 'guard', owner: 'one', at: 1, by })
      await accounts.finishRoleDeletion('guard', 'one')
      await accounts.deleteUser('ben')
      await accounts.addSession(session('s3', ann, { credentialVersion: 2 }))
      await accounts.addUser(user('eve', { role: 'admin' }))
      await accounts.setStatus(ann.id, { disabled: true }, testEntry)
      await accounts.setStatus(ann.id, { disabled: false }, testEntry)
      await accounts.addSession(session('s4', ann, { credentialVersion: 2, expiresAt: 10 }))
      await accounts.deleteExpired(11)
      expect(await arrived()).toEqual([
        { message: { kind: 'user', key: 'ben' } },
        { message: { kind: 'user', key: 'ann' } },
        { message: { kind: 'session', id: 's1' } },
        { message: { kind: 'session', id: 's2' } },
        { message: { kind: 'user', key: 'ben' } },
        { message: { kind: 'user', key: 'ben' } },
        { message: { kind: 'user', key: 'eve' } },
        { message: { kind: 'session', id: 's3' } },
        { message: { kind: 'user', key: 'ann' } },
        { message: { kind: 'user', key: 'ann' } },
        { message: { kind: 'session', id: 's4' } },
      ])
      expect(own).toEqual([])
      end()
    })

    test('is not notified of a rolled-back change', async () => {
      await added(ann)
      await arrived()
      await accounts.setRole('ann', 'viewer')
      await accounts.deleteUser('ann')
      await accounts.setPassword('ann', password, 7)
      await store
        .transaction(async (within) => {
          await store.changes.announce({ kind: 'user', key: 'ann' }, within)
          throw new Error('rolled back')
        })
        .catch(() => undefined)
      expect(await arrived()).toEqual([])
    })
  })
})
