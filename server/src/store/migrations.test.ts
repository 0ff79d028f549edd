import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { engines, postgresEngines, type TestDatabase } from '../../test/support/engines.ts'
import { auditStore } from '../audit/audit-store.ts'
import { apiTokenStore } from '../auth/api-token/api-token-store.sql.ts'
import { screenStore } from '../auth/screen/screen-store.sql.ts'
import { exportStore } from '../exports/export-store.sql.ts'
import { recordingStore } from '../recordings/index/recording-store.sql.ts'
import { reviewStore } from '../review/review-store.sql.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { accountStore } from '../users/accounts/account-store.sql.ts'
import { migrationNames, migrations } from './migrations.ts'
import type { Store } from './store.ts'
import { scopedKey } from '../../test/support/scoped.ts'

/** Each before the tables that it references. */
const tables = (
  'review_seen review_item share_link_viewer share_link new_totp session logout_token api_token totp recovery_code passkey remembered_device used_ticket user audit audit_output recording removed_object export screen pairing invitation deleted_role instance camera_lease config_version failed_login deleted_file camera camera_listing meta ' +
  'migration'
).split(' ')

const oldAuditRow = (at: number, values: string) =>
  `insert into audit (at, action, result, "user", user_key, source, target, detail) values (${at}, ${values})`

const auditRow = (at: number, action: string, result: string, detail: string) =>
  `insert into audit (at, action, result, detail) values (${at}, '${action}', '${result}', '${detail}')`

/** Replaces the tables by those of an earlier version, empty. */
async function downgrade({ transaction, engine }: Store, next: string): Promise<void> {
  const done = migrations.slice(0, migrationNames.indexOf(next))
  await transaction(async (within) => {
    for (const table of tables) await within.schema.dropTable(table).execute()
    await within.schema
      .createTable('migration')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('done_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const { name, up } of done) {
      await up(within, engine)
      await within.insertInto('migration').values({ name, done_at: 0 }).execute()
    }
  })
}

describe.each(engines)('a database of an earlier version on $name', ({ create }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.remove())

  /** A store on a database of the version before a migration, with these rows. */
  const upgraded = async (from: string, rows: readonly string[]): Promise<Store> => {
    const before = await database.open()
    await downgrade(before, from)
    for (const row of rows) await sql.raw(row).execute(before.db)
    return database.open()
  }

  test('with earlier error codes has the present ones', { timeout: 120_000 }, async () => {
    const store = await upgraded('0012-error-codes', [
      auditRow(1, 'request.denied', 'denied', 'many-streams'),
      auditRow(2, 'export.create', 'success', 'many-exports'),
      auditRow(3, 'role.missing', 'failure', 'many-streams'),
      auditRow(4, 'export.create', 'failure', 'no-ffmpeg'),
      auditRow(5, 'camera.test', 'failure', 'no-picture'),
      auditRow(6, 'role.missing', 'failure', 'no-picture'),
      ...['disk-refuses', 'file-gone', 'disk-full'].map(
        (code) =>
          `insert into export (id, volume, camera, name, start, "end", expected, state, tries, problem,
            owner_auth_method, owner_key, created_by, created_at, finished_at)
            values ('${code}', 'here', 'yard', '', 1000, 2000, 1000, 'failed', 1, '{"code":"${code}"}', 'internal',
            'anonymous', 'anonymous', 0, 1)`,
      ),
    ])
    const entries = await auditStore(store).entries({ limit: 10 })
    expect(entries.map(({ detail }) => detail)).toEqual([
      'no-picture',
      'no-frame',
      'no-ffmpeg',
      'many-streams',
      'many-exports',
      'too-many-streams',
    ])
    const made = await Promise.all(
      ['disk-refuses', 'file-gone', 'disk-full'].map((id) => exportStore(store, 'here').byId(id)),
    )
    expect(made).toMatchObject(['disk-error', 'file-missing', 'disk-full'].map((code) => ({ problem: { code } })))
  })

  test('[OIDC-4] keeps which logout tokens were used, and misses no later one', { timeout: 120_000 }, async () => {
    const store = await upgraded('0027-provider-logouts', [`insert into logout_token values ('earlier', 1000)`])
    const accounts = accountStore(store)
    const logout = { issuer: 'https://id.example', subject: 'ann', sid: undefined, now: 0, expiresAt: 1000 }
    const end = (hash: string) => accounts.endProviderSessions({ ...logout, hash }, () => testEntry)
    expect(await accounts.lastLogout()).toBe(0)
    expect([await end('earlier'), await end('later')]).toEqual(['used', []])
    expect(await accounts.lastLogout()).toBe(1)
  })

  test('[KEY-4] keeps its API tokens, each without a parent', { timeout: 120_000 }, async () => {
    const store = await upgraded('0028-token-parents', [
      `insert into "user" (id, name, key, role, password_hash, credential_version, password_set_at, password_origin,
        created_at) values ('1', 'Ann', 'ann', 'viewer', '', 1, 0, 0, 0)`,
      `insert into api_token (id, user_id, name, secret_hash, created_at) values ('t', '1', 'NAS', 'hash', 0)`,
    ])
    expect(await apiTokenStore(store).tokensById(['t'])).toMatchObject([{ name: 'NAS', parentId: null }])
  })

  test('[KEY-6] keeps its screens, which end with no API token', { timeout: 120_000 }, async () => {
    const store = await upgraded('0032-screen-tokens', [
      `insert into screen (id, name, cameras, audio, layout, confirmed_by, created_at)
        values ('s', 'hall', '["yard"]', 0, '{}', 'boss', 0)`,
    ])
    expect(await screenStore(store).screensById(['s'])).toMatchObject([{ name: 'hall', tokenId: null }])
  })

  test('from before the standard names keeps its rows, under the present names', { timeout: 120_000 }, async () => {
    const store = await upgraded('0011-standard-names', [
      `insert into "user" (id, name, key, role, password_hash, credential_version, password_set_at, password_printed,
        created_at) values ('1', 'Ann', 'ann', 'viewer', '', 1, 0, 1, 0)`,
      oldAuditRow(1, `'request', 'refused', null, null, null, 'POST /api/users', 'foreign-origin'`),
      oldAuditRow(2, `'session.end', 'ok', 'anonymous', 'anonymous', 'inside', 'Ann', 'other-sessions'`),
      oldAuditRow(3, `'camera.test', 'failed', 'Ann', 'ann', 'password', 'yard', 'silent'`),
      oldAuditRow(4, `'export.create', 'ok', 'Ann', 'ann', 'password', 'yard', 'silent'`),
      oldAuditRow(5, `'role.missing', 'failed', null, null, null, 'guard', 'silent'`),
      `insert into recording (library, camera, start, "end", bytes, init_bytes, motion, run, file)
        values ('here', 'yard', 1000, 2000, 9, 1, 0, 500, 'a.mp4')`,
      `insert into review_item (id, library, camera, severity, start, "end", open, motion)
        values ('item', 'here', 'yard', 'alert', 1000, 2000, 0, 5)`,
      `insert into review_seen (source, user_key, library, camera, severity, start, item)
        values ('inside', 'anonymous', 'here', 'yard', 'alert', 1000, 'item')`,
      ...[
        ['1', '{"code":"cancelled"}'],
        ['2', '{"code":"picture-changed","values":{"at":"2026-11-22T10:00:00Z"}}'],
        ['3', '{"code":"disk-full"}'],
      ].map(
        ([id, problem]) =>
          `insert into export (id, library, camera, name, start, "end", expected, state, tries, problem, owner_source,
            owner_key, created_by, created_at, finished_at)
            values ('${id}', 'here', 'yard', '', 1000, 2000, 1000, 'failed', 1, '${problem}', 'inside', 'anonymous',
            'anonymous', 0, 1)`,
      ),
      `insert into deleted_role (role, owner, deleted_at, deleted_by)
        values ('guard', 'one', 1, '{"user":"anonymous","source":"inside","address":"127.0.0.1"}')`,
      `insert into camera (library, key, name, source, added_at, withheld) values ('here', 'yard', 'yard', '', 0, '[]')`,
      `insert into camera_listing (library, name, role) values ('here', 'barn', 'guard')`,
    ])

    const entries = await auditStore(store).entries({ limit: 10 })
    expect(entries.map(({ action, result, auth_method, detail }) => [action, result, auth_method, detail])).toEqual([
      ['role.missing', 'failure', null, 'silent'],
      ['export.create', 'success', 'password', 'silent'],
      ['camera.test', 'failure', 'password', 'no-data'],
      ['session.revoke', 'success', 'internal', 'other-sessions'],
      ['request.denied', 'denied', null, 'cross-origin'],
    ])
    expect(await auditStore(store).entries({ result: 'denied', limit: 10 })).toMatchObject([{ at: 1 }])
    expect(await auditStore(store).entries({ actions: ['session.revoke'], limit: 10 })).toMatchObject([{ at: 2 }])

    const anonymous = { authMethod: 'internal', key: 'anonymous', userId: null } as const
    expect(await reviewStore(store, 'here').isSeen(anonymous, 'item')).toBe(true)
    const made = await Promise.all(['1', '2', '3'].map((id) => exportStore(store, 'here').byId(id)))
    expect(made).toMatchObject([
      { owner: anonymous, problem: { code: 'canceled' } },
      { owner: anonymous, problem: { code: 'video-format-changed', values: { at: '2026-11-22T10:00:00Z' } } },
      { owner: anonymous, problem: { code: 'disk-full' } },
    ])
    expect(await recordingStore(store, 'here').startingAt(scopedKey('yard'), 1000)).toMatchObject({ streamId: 500 })
    const accounts = accountStore(store)
    expect(await accounts.userByKey('ann')).toMatchObject({ passwordOrigin: 'printed' })
    expect(await accounts.roleDeletions('one')).toMatchObject([
      { by: { user: 'anonymous', auth_method: 'internal', address: '127.0.0.1' } },
    ])
    expect(await store.db.selectFrom('camera').select('volume').execute()).toEqual([{ volume: 'here' }])
    expect(await store.db.selectFrom('camera_listing').select('volume').execute()).toEqual([{ volume: 'here' }])
  })
})

const servers = postgresEngines.filter(({ concurrent }) => concurrent)

describe.skipIf(servers.length === 0).each(servers)('[OPS-2] a migration on $name', ({ create }) => {
  test(
    'that is cut off in the middle changes nothing, and the next start does all of it',
    { timeout: 120_000 },
    async () => {
      const database = await create()
      onTestFinished(() => database.remove())
      const store = await database.open()
      await downgrade(store, migrationNames[0]!)
      const names = async () =>
        (await store.db.selectFrom('migration').select('name').orderBy('name').execute()).map(({ name }) => name)
      const tableCount = async () => (await store.db.introspection.getTables()).length
      const before = [await names(), await tableCount()]
      const opening = store.transaction(async (within) => {
        // What a migration writes after it has changed the tables: it waits there.
        await sql`lock table migration in share mode`.execute(within)
        const attempt = database.open().then(
          () => 'opened',
          () => 'failed',
        )
        const waiting = async () =>
          (
            await sql<{
              pid: number
            }>`select pid from pg_locks where not granted and relation = 'migration'::regclass`.execute(within)
          ).rows
        await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1)
        const [{ pid } = { pid: 0 }] = await waiting()
        await sql`select pg_terminate_backend(${pid})`.execute(within)
        return attempt
      })
      expect(await opening).toBe('failed')
      expect([await names(), await tableCount()]).toEqual(before)
      const again = await database.open()
      expect(await names()).toEqual(migrationNames.toSorted())
      expect(await again.db.selectFrom('user').selectAll().execute()).toEqual([])
    },
  )
})
