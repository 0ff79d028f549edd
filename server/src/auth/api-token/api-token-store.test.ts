import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { batches } from '../../shared/batches.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import type { Message, Store } from '../../store/store.ts'
import { apiTokenStore } from './api-token-store.sql.ts'
import type { NewApiToken, RevokedToken } from './api-token-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const ann = testUser('ann', { credentialVersion: 3 })
const token = (id: string, more: Partial<NewApiToken> = {}): NewApiToken => ({
  id,
  userId: ann.id,
  name: id,
  secretHash: 'hash',
  cameras: null,
  actions: null,
  createdAt: 1_700_000_000_000,
  expiresAt: null,
  credentialVersion: null,
  parentId: null,
  ...more,
})

const ofAnn = { owner: 'ann', ownerKey: 'ann', lastUsedAt: null, lastUsedFrom: null }

const entryOf = ({ id, name, owner }: RevokedToken) => ({ ...testEntry, target: id, detail: `${owner}: ${name}` })

const entries = [entryOf, () => testEntry] as const

const row = (id: string) => ({
  id,
  user_id: ann.id,
  name: id,
  secret_hash: 'hash',
  cameras: null,
  actions: null,
  created_at: 1_700_000_000_000,
  expires_at: null,
  credential_version: 1,
  parent_id: null,
  last_used_at: null,
  last_used_from: null,
})

describe.each(engines)('API tokens on $name', ({ create, engine }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await accountStore(store).addUser(ann, testEntry, 0)
  })
  /** The store, and what it tells other instances. */
  const announcing = () => {
    const announced: Message[] = []
    const announce = async (message: Message) => void announced.push(message)
    return { tokens: apiTokenStore({ ...store, changes: { ...store.changes, announce } }), announced }
  }
  const audited = async () => (await store.db.selectFrom('audit').select('id').execute()).length

  test.each<[string, Partial<NewApiToken>]>([
    ['without limits', {}],
    [
      'with limits',
      { cameras: [cameraKey('yard~1')], actions: ['live'], expiresAt: 1_800_000_000_000, credentialVersion: 3 },
    ],
  ])('[KEY-1] a token %s is read as it was written, with its owner', async (_which, more) => {
    const tokens = apiTokenStore(store)
    expect(await tokens.add(token('one', more), 3, 10, testEntry)).toBe('added')
    const read = { ...token('one', more), ...ofAnn, parentName: null }
    await tokens.add(token('two'), 3, 10, testEntry)
    expect(await tokens.tokensById(['one', 'missing'])).toEqual([read])
    expect(await tokens.tokensOf(ann.id)).toContainEqual(read)
    expect([await tokens.tokensById([]), await tokens.tokensOf('another')]).toEqual([[], []])
    expect(await audited()).toBe(3)
  })

  test('[KEY-1] of concurrent requests, no more tokens are added than a user can have', async () => {
    const tokens = apiTokenStore(store)
    await accountStore(store).addUser(testUser('ben'), testEntry, 0)
    await tokens.add(token('of ben', { userId: 'id of ben' }), 1, 5, testEntry)
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, number) => tokens.add(token(`t${number}`), 3, 5, testEntry)),
    )
    expect(results.filter((result) => result === 'added')).toHaveLength(5)
    expect(results.filter((result) => result === 'full')).toHaveLength(3)
    // Two users, and each token.
    expect(await audited()).toBe(8)
  })

  test('[KEY-2] no token is added of a user who was deleted, or has another password by then', async () => {
    const tokens = apiTokenStore(store)
    expect(await tokens.add(token('one'), 2, 5, testEntry)).toBe('absent')
    expect(await tokens.add(token('one', { userId: 'another' }), 3, 5, testEntry)).toBe('absent')
    expect([await tokens.tokensOf(ann.id), await audited()]).toEqual([[], 1])
  })

  test('[KEY-4] all tokens are listed by pages, the newest first', async () => {
    const tokens = apiTokenStore(store)
    const made = { e: 1, b: 2, d: 2, c: 2, a: 3 }
    for (const [id, createdAt] of Object.entries(made)) await tokens.add(token(id, { createdAt }), 3, 5, testEntry)
    const page = async (at?: number, id = '') =>
      (await tokens.tokens(at === undefined ? undefined : { at, id }, 2)).map((each) => each.id)
    expect([await page(), await page(2, 'd'), await page(2, 'b')]).toEqual([['a', 'd'], ['c', 'b'], ['e']])
    expect((await tokens.tokensOf(ann.id)).map(({ id }) => id)).toEqual(['a', 'd', 'c', 'b', 'e'])
  })

  test('[KEY-5] a token is revoked once, and other instances are notified', async () => {
    const { tokens, announced } = announcing()
    await tokens.add(token('one'), 3, 5, testEntry)
    expect([await tokens.revoke('one', ...entries), await tokens.revoke('one', ...entries)]).toEqual([['one'], []])
    expect([await tokens.tokensById(['one']), announced, await audited()]).toEqual([
      [],
      [{ kind: 'credential', id: 'one' }],
      3,
    ])
  })

  test('[KEY-4] with a token, those that descend from it are revoked, each with an audit entry and announced', async () => {
    const { tokens, announced } = announcing()
    const made = { one: null, other: null, two: 'one', three: 'two', four: 'three', 'of other': 'other' }
    for (const [n, [id, parentId]] of Object.entries(made).entries())
      await tokens.add(token(id, { parentId, createdAt: n >> 1 }), 3, 10, testEntry)
    const read = { ...token('three', { parentId: 'two', createdAt: 1 }), ...ofAnn, parentName: 'two' }
    expect(await tokens.tokensById(['three'])).toEqual([read])
    // The oldest first, and by id if they are as old.
    const revoked = ['three', 'two', 'four']
    expect(await tokens.revoke('two', ...entries)).toEqual(revoked)
    expect((await tokens.tokensOf(ann.id)).map(({ id }) => id)).toEqual(['of other', 'other', 'one'])
    expect(announced).toEqual(revoked.map((id) => ({ kind: 'credential', id })))
    const audited = await store.db.selectFrom('audit').select(['target', 'detail']).orderBy('id').execute()
    expect(audited.slice(-3)).toEqual(revoked.map((id) => ({ target: id, detail: `ann: ${id}` })))
  })

  test('[KEY-4] a token that was revoked creates no other one', async () => {
    const tokens = apiTokenStore(store)
    for (const id of ['one', 'other']) await tokens.add(token(id), 3, 5, testEntry)
    const child = token('two', { parentId: 'one' })
    const [, added] = await Promise.all([tokens.revoke('one', ...entries), tokens.add(child, 3, 5, testEntry)])
    const idsOf = async () => (await tokens.tokensOf(ann.id)).map(({ id }) => id)
    expect([added === 'added' || added === 'revoked', await idsOf()]).toEqual([true, ['other']])
    expect(await tokens.add(child, 3, 5, testEntry)).toBe('revoked')
    expect(await idsOf()).toEqual(['other'])
  })

  // SQLite runs one write transaction at a time.
  test.runIf(engine === 'postgres')(
    '[LINK-4] tokens are added and revoked one at a time, and not while an invitation that one created is used',
    async () => {
      const locks: number[] = []
      const tokens = apiTokenStore({
        ...store,
        transaction: (work) =>
          store.transaction(async (within) => {
            const result = await work(within)
            const held = sql<object>`select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
            locks.push((await held.execute(within)).rows.length)
            return result
          }),
      })
      expect(await tokens.add(token('one'), 3, 5, testEntry)).toBe('added')
      expect(await tokens.revoke('one', ...entries)).toEqual(['one'])
      expect(locks).toEqual([1, 1])
    },
  )

  test('[KEY-5] uses of more tokens than one statement writes are saved, never backward, and restore no deleted token', async () => {
    const tokens = apiTokenStore(store)
    const ids = Array.from({ length: 2_001 }, (_, number) => `t${number}`)
    for (const some of batches(ids, 500)) await store.db.insertInto('api_token').values(some.map(row)).execute()
    const at = 1_700_000_000_123
    await tokens.noteUses(ids.map((id) => ({ id, at, address: '192.0.2.1' })))
    await tokens.noteUses([
      { id: 't0', at: at - 1, address: '192.0.2.2' },
      { id: 't1', at: at + 1, address: '2001:db8::"2' },
      { id: 'gone', at, address: '192.0.2.2' },
    ])
    await tokens.noteUses([{ id: 't2', at: at - 300_001, address: '192.0.2.3' }])
    await tokens.noteUses([])
    const all = await tokens.tokensOf(ann.id)
    expect(all).toHaveLength(ids.length)
    const used = (id: string) => {
      const { lastUsedAt, lastUsedFrom } = all.find((each) => each.id === id)!
      return [lastUsedAt, lastUsedFrom]
    }
    expect(used('t0')).toEqual([at, '192.0.2.1'])
    expect(used('t1')).toEqual([at + 1, '2001:db8::"2'])
    // After the clock was set back.
    expect(used('t2')).toEqual([at - 300_001, '192.0.2.3'])
    expect(used('t2000')).toEqual([at, '192.0.2.1'])
  }, 60_000)
})
