import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testSession } from '../../../test/support/test-session.ts'
import { testUser as user } from '../../../test/support/test-user.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import type { Store } from '../../store/store.ts'
import { accountStore } from './account-store.sql.ts'
import type { AccountStore, ProviderLogout } from './account-store.ts'
import type { Session } from './session.ts'

const now = 1_700_000_000_000
const issuer = 'https://id.example'
const ann = user('ann', { provider: { issuer, subject: 'ann', recheckAt: now } })
const session = (id: string, sid: string | null) =>
  testSession(id, ann, { provider: { sid, token: 'sealed', idToken: '', recheckAt: now + 300_000 } })

let tokens = 0
const logout = (more: Partial<ProviderLogout>): ProviderLogout => {
  tokens += 1
  const usual = { issuer, hash: `t${tokens}`, subject: undefined, sid: undefined, now, expiresAt: now + 240_000 }
  return { ...usual, ...more }
}

const end = (at: AccountStore, more: Partial<ProviderLogout>) => at.endProviderSessions(logout(more), () => testEntry)

describe.each(engines)('[OIDC-4] a logout during a sign-in on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let accounts: AccountStore
  let elsewhere: AccountStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    accounts = accountStore(store)
    elsewhere = accountStore(await database.open())
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await accounts.addUser(ann, testEntry, 0)
  })
  const add = (of: Session, lastLogout: number) => accounts.addSession(of, ann, true, testEntry, lastLogout)

  test.each<[named: Partial<ProviderLogout>, sid: string | null, ends: boolean]>([
    [{ sid: 's1' }, 's1', true],
    [{ subject: 'ann' }, 's1', true],
    [{ subject: 'ann' }, null, true],
    [{ subject: 'ann', sid: 's1' }, 's1', true],
    [{ subject: 'ann', sid: 's1' }, null, true],
    [{ sid: 's2' }, 's1', false],
    [{ sid: 's1' }, null, false],
    [{ subject: 'ann', sid: 's2' }, 's1', false],
    [{ subject: 'bob', sid: 's1' }, 's1', false],
    [{ subject: 'bob' }, 's1', false],
    [{ subject: 'ann', sid: 's1', issuer: 'https://other.example' }, 's1', false],
  ])('that names %j, of the session %j, ends it before it begins as it does later: %s', async (named, sid, ends) => {
    const before = await accounts.lastLogout()
    expect(await end(elsewhere, named)).toEqual([])
    expect(await add(session('a', sid), before)).toBe(!ends)
    // Of a sign-in that began after it, there is a session.
    expect(await add(session('b', sid), await accounts.lastLogout())).toBe(true)
    const ids = ends ? ['b'] : ['a', 'b']
    expect(new Set((await accounts.sessions(ann.id)).map(({ id }) => id))).toEqual(new Set(ids))
    expect(new Set(await end(elsewhere, named))).toEqual(new Set(ends ? ids : []))
  })

  test('is not missed however close they come', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const before = await accounts.lastLogout()
      await Promise.all([add(session(`s${round}`, `s${round}`), before), end(elsewhere, { sid: `s${round}` })])
      expect(await accounts.sessions()).toEqual([])
    }
  })

  test('has a larger number than all before, also once those have expired', async () => {
    await end(accounts, { sid: 's1' })
    const before = await accounts.lastLogout()
    await end(accounts, { sid: 's2', now: now + 3_600_000, expiresAt: now + 3_840_000 })
    expect(await add(session('a', 's2'), before)).toBe(false)
    expect(await store.db.selectFrom('logout_token').select('sid').execute()).toEqual([{ sid: 's2' }])
  })

  test('is not missed because a used token is sent again once the last one has expired', async () => {
    const later = { now: now + 300_000, expiresAt: now + 540_000 }
    await end(accounts, { hash: 'again', sid: 's0', expiresAt: now + 480_000 })
    await end(accounts, { sid: 's1' })
    const before = await accounts.lastLogout()
    expect(await end(elsewhere, { hash: 'again', sid: 's0', ...later })).toBe('used')
    expect(await end(elsewhere, { sid: 's2', ...later })).toEqual([])
    expect(await add(session('a', 's2'), before)).toBe(false)
  })

  test('is taken from a provider that gives the id of an expired token again', async () => {
    await end(accounts, { hash: 'reused', sid: 's1' })
    const before = await accounts.lastLogout()
    expect(await end(accounts, { hash: 'reused', sid: 's2', now: now + 239_999 })).toBe('used')
    expect(await end(accounts, { hash: 'reused', sid: 's2', now: now + 240_000, expiresAt: now + 480_000 })).toEqual([])
    expect(await add(session('a', 's2'), before)).toBe(false)
  })
})
