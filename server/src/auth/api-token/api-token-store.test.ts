import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/engines.ts'
import { batches } from '../../shared/batches.ts'
import { testEntry } from '../../shared/audit/test-entry.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { accountStore } from '../../users/account-store.sql.ts'
import { newUser } from '../../users/new-user.ts'
import type { Store } from '../../store/store.ts'
import { apiTokenStore } from './api-token-store.sql.ts'

describe.each(engines)('API tokens on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  const runtime = { clock: systemClock, random: systemRandom }
  const ann = newUser({ name: 'ann', role: 'viewer', hash: '', origin: 'own' }, runtime)
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    await accountStore(store).addUser(ann, testEntry)
  }, 60_000)
  afterAll(() => database.remove())

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
    last_used_at: null,
    last_used_from: null,
  })

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
    await tokens.noteUses([])
    const all = await tokens.tokensOf(ann.id)
    expect(all).toHaveLength(ids.length)
    const used = (id: string) => {
      const { lastUsedAt, lastUsedFrom } = all.find((each) => each.id === id)!
      return [lastUsedAt, lastUsedFrom]
    }
    expect(used('t0')).toEqual([at, '192.0.2.1'])
    expect(used('t1')).toEqual([at + 1, '2001:db8::"2'])
    expect(used('t2000')).toEqual([at, '192.0.2.1'])
  }, 60_000)
})
