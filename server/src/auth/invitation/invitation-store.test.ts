import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { rolesFrom } from '../../access/role.ts'
import { testEntry as entry } from '../../../test/support/test-entry.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { Store } from '../../store/store.ts'
import type { ExistingRole } from '../../users/accounts/account-store.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { apiTokenStore } from '../api-token/api-token-store.sql.ts'
import { hashOfSecret } from '../link-secret.ts'
import { invitationStore } from './invitation-store.sql.ts'
import type { Invitation, OneTimeLink, PasswordReset } from './invitation.ts'
import type { InvitationStore, LinkUse } from './invitation-store.ts'

const now = 1_700_000_000_000
const day = 86_400_000
const boss = testUser('boss', { role: 'admin' })
const ann = testUser('ann')
const roles = rolesFrom(new Map(), { now: () => now, wallClock: () => ({ weekday: 'mon', minute: 0 }) })
const context = { roles, isAccepted: () => true, now }
const link = (id: string) => ({
  id,
  secretHash: hashOfSecret(`secret of ${id}`),
  createdBy: 'boss',
  createdVia: 'password' as const,
  creatorId: boss.id,
  tokenId: null,
  createdAt: now,
  expiresAt: now + 10,
  ended: null,
})
const invitation = (id: string, more: Partial<Invitation> = {}): Invitation => ({
  ...link(id),
  kind: 'invitation',
  role: 'viewer',
  username: null,
  ...more,
})
const reset = (id: string, more: Partial<PasswordReset> = {}): PasswordReset => ({
  ...link(id),
  kind: 'reset',
  username: 'ann',
  userId: ann.id,
  credentialVersion: 1,
  ...more,
})
const use = (id: string, more: Partial<LinkUse> = {}): LinkUse => ({
  id,
  secret: `secret of ${id}`,
  ...context,
  ...more,
})
type Added = [OneTimeLink, AuditEntry, number, (ExistingRole | null)?]
const password = { hash: 'new hash', at: now + 1, origin: 'own' } as const

describe.each(engines)('[LINK-4] links on $name', ({ engine, concurrent, create }) => {
  let database: TestDatabase
  let store: Store
  let links: Omit<InvitationStore, 'add'> & { add(...added: Added): ReturnType<InvitationStore['add']> }
  let accounts: ReturnType<typeof accountStore>
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    const all = invitationStore(store)
    links = { ...all, add: (link, added, max, role = null) => all.add(link, added, max, role) }
    accounts = accountStore(store)
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await store.db.deleteFrom('invitation').execute()
    for (const user of [boss, ann]) await accounts.addUser(user, entry, 0)
    await store.db.deleteFrom('audit').execute()
  })
  const audited = async () =>
    (await store.db.selectFrom('audit').select('target').orderBy('id').execute()).map(({ target }) => target)
  const pending = async (at = now) => (await links.pending({ ...context, now: at })).map(({ id }) => id)
  const guest = testUser('guest')
  const accept = (id: string, user = guest) =>
    links.acceptInvitation(
      use(id),
      () => user,
      ({ role }, { name }) => ({ ...entry, target: `${name} as ${role}` }),
    )
  const set = (id: string) => links.acceptReset(use(id), password, ({ createdBy }) => ({ ...entry, target: createdBy }))

  test('are read as they were written', async () => {
    const both = [
      invitation('i1', { username: 'Carla', tokenId: 't1', createdVia: 'proxy', creatorId: null }),
      reset('r1', { createdAt: now - 1, expiresAt: now + 20 }),
    ]
    for (const each of both) expect(await links.add(each, { ...entry, target: each.id }, 10)).toBe('added')
    expect(await links.pending(context)).toEqual(both)
    for (const each of both) expect(await links.find(use(each.id))).toEqual(each)
    expect(await audited()).toEqual(['i1', 'r1'])
  })

  test('an invitation is added only for the role that was found to exist, not for a later one with its name', async () => {
    const cook = { role: 'cook', generation: await accounts.roleGeneration('cook') }
    const add = (id: string, role = cook) => links.add(invitation(id, { role: 'cook' }), entry, 10, role)
    expect(await add('i1')).toBe('added')
    await accounts.endInvitations('guard', () => [])
    expect(await add('i2')).toBe('added')
    await accounts.endInvitations('cook', () => [])
    expect(await add('i3')).toBe('role-replaced')
    expect(await links.find(use('i3'))).toBe('wrong')
    expect(await add('i3', { ...cook, generation: await accounts.roleGeneration('cook') })).toBe('added')
  })

  test('are listed newest first, while they can be used', async () => {
    for (const each of [
      invitation('i2', { createdAt: now + 1 }),
      invitation('i1', { createdAt: now + 1 }),
      invitation('i0'),
      invitation('revoked', { ended: 'revoked' }),
      invitation('expired', { expiresAt: now }),
      invitation('of a role that is gone', { role: 'guard' }),
      invitation('of a creator who is gone', { creatorId: 'gone' }),
      invitation('of a token that is gone', { tokenId: 'gone' }),
      reset('r1'),
      reset('of a user who is gone', { userId: 'gone' }),
      reset('of another password', { userId: boss.id, credentialVersion: 2 }),
    ]) {
      await links.add(each, entry, 100)
    }
    expect(await pending()).toEqual(['i1', 'i2', 'i0', 'r1'])
    expect(await pending(now + 10)).toEqual([])
  })

  test('of an API token can be used as long as the token lives', async () => {
    const token = { id: 't1', userId: boss.id, name: 'NAS', secretHash: '', cameras: null, actions: null }
    const terms = { createdAt: now, expiresAt: now + 5, credentialVersion: 1, parentId: null }
    expect(await apiTokenStore(store).add({ ...token, ...terms }, 1, 5, entry)).toBe('added')
    await links.add(invitation('i1', { tokenId: 't1' }), entry, 10)
    expect(await links.find(use('i1'))).toMatchObject({ id: 'i1' })
    expect(await links.find(use('i1', { now: now + 5 }))).toBe('ended')
  })

  test('are no more than allowed, and removed thirty days after their end', async () => {
    expect(await links.add(invitation('i1'), entry, 2)).toBe('added')
    expect(await links.add(invitation('i2'), entry, 2)).toBe('added')
    expect(await links.add(invitation('i3'), { ...entry, target: 'i3' }, 2)).toBe('full')
    expect(await audited()).not.toContain('i3')
    const later = now + 10 + 30 * day
    expect(await links.add(invitation('i3', { createdAt: later }), entry, 2)).toBe('full')
    expect(await links.find(use('i1', { now: later }))).toBe('expired')
    expect(await links.add(invitation('i3', { createdAt: later + 1 }), entry, 2)).toBe('added')
    expect(await links.find(use('i1', { now: later }))).toBe('wrong')
  })

  test('need their secret', async () => {
    await links.add(invitation('i1'), entry, 10)
    expect(await links.find(use('i1', { secret: 'secret of i2' }))).toBe('wrong')
    expect(await links.find(use('i2', { secret: 'secret of i1' }))).toBe('wrong')
  })

  test('are revoked once', async () => {
    await links.add(invitation('i1', { username: 'carla' }), entry, 10)
    const revoke = (id: string) => links.revoke(id, ({ username }) => ({ ...entry, target: `revoked for ${username}` }))
    expect(await revoke('i2')).toBe(false)
    expect(await revoke('i1')).toBe(true)
    expect(await revoke('i1')).toBe(false)
    expect(await links.find(use('i1'))).toBe('ended')
    expect(await audited()).toEqual(['a test', 'revoked for carla'])
  })

  test('an invitation adds its user, once', async () => {
    await links.add(invitation('i1'), entry, 10)
    await links.add(invitation('i2'), entry, 10)
    expect(await accept('i3')).toBe('wrong')
    expect(await accept('i1', { ...guest, key: 'ann', id: 'other' })).toBe('taken')
    expect(await accept('i1')).toEqual({ user: guest })
    expect(await accounts.userByKey('guest')).toEqual(guest)
    expect(await accept('i1', testUser('later'))).toBe('used')
    expect(await pending()).toEqual(['i2'])
    expect(await audited()).toEqual(['a test', 'a test', 'guest as viewer'])
  })

  test('a reset sets the password, and ends the sessions', async () => {
    await links.add(reset('r1'), entry, 10)
    await links.add(reset('of boss', { userId: boss.id, username: 'boss' }), entry, 10)
    expect(await set('r2')).toBe('wrong')
    const changed = { ...ann, passwordHash: 'new hash', passwordSetAt: now + 1, credentialVersion: 2 }
    expect(await set('r1')).toEqual({ user: changed })
    expect(await accounts.userById(ann.id)).toEqual(changed)
    expect(await accounts.userById(boss.id)).toEqual(boss)
    expect(await set('r1')).toBe('used')
    expect(await pending()).toEqual(['of boss'])
    expect(await audited()).toEqual(['a test', 'a test', 'boss'])
  })

  test('a reset replaces the earlier ones of its user, and no invitation does', async () => {
    await links.add(reset('r1'), entry, 10)
    await links.add(reset('of boss', { userId: boss.id }), entry, 10)
    await links.add(invitation('i1'), entry, 10)
    expect(await pending()).toEqual(['i1', 'of boss', 'r1'])
    await links.add(reset('r2'), entry, 10)
    expect(await pending()).toEqual(['i1', 'of boss', 'r2'])
    expect(await links.find(use('r1'))).toBe('ended')
    await set('r2')
    await links.add(reset('r3', { credentialVersion: 2 }), entry, 10)
    expect(await links.find(use('r2'))).toBe('used')
  })

  test('[LINK-4] a reset that is one too many replaces no earlier one', async () => {
    await links.add(reset('r1'), entry, 1)
    expect(await links.add(reset('r2'), entry, 1)).toBe('full')
    expect([await pending(), await audited()]).toEqual([['r1'], ['a test']])
  })

  test('an invitation isn’t a reset, and a reset isn’t an invitation', async () => {
    await links.add(invitation('i1'), entry, 10)
    await links.add(reset('r1'), entry, 10)
    expect([await set('i1'), await accept('r1')]).toEqual(['wrong', 'wrong'])
    expect(await pending()).toEqual(['i1', 'r1'])
    expect(await audited()).toEqual(['a test', 'a test'])
  })

  // SQLite runs one write transaction at a time.
  const isPostgres = engine === 'postgres'

  test.runIf(isPostgres)('are added and used one at a time, and not while a role changes', async () => {
    const locks: number[] = []
    const counted = invitationStore({
      ...store,
      transaction: (work) =>
        store.transaction(async (within) => {
          const result = await work(within)
          const held = sql<object>`select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
          locks.push((await held.execute(within)).rows.length)
          return result
        }),
    })
    expect(await counted.add(invitation('i1'), entry, 10, null)).toBe('added')
    expect(await counted.add(reset('r1'), entry, 10, null)).toBe('added')
    const accepted = [
      await counted.acceptInvitation(
        use('i1'),
        () => guest,
        () => entry,
      ),
      await counted.acceptReset(use('r1'), password, () => entry),
    ]
    expect(accepted).toMatchObject([{ user: { name: 'guest' } }, { user: { name: 'ann' } }])
    expect(locks).toEqual([1, 1, 1, 1])
  })

  test.runIf(isPostgres && concurrent)(
    'a reset sets no password if another one was set since it was read',
    async () => {
      await links.add(reset('r1'), entry, 10)
      let isRead = false
      const afterRead: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (!isRead && result.rows.some((row) => 'password_hash' in row)) {
            isRead = true
            await store.db.updateTable('user').set({ credential_version: 2 }).where('id', '=', ann.id).execute()
          }
          return result
        },
      }
      const late = invitationStore({
        ...store,
        transaction: (work) => store.transaction((within) => work(within.withPlugin(afterRead))),
      })
      expect(await late.acceptReset(use('r1'), password, () => entry)).toBe('ended')
      expect(isRead).toBe(true)
      expect(await accounts.userById(ann.id)).toEqual({ ...ann, credentialVersion: 2 })
      expect(await audited()).toEqual(['a test'])
    },
  )
})
