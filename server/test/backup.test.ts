import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { configTexts } from '../src/app/config/config.ts'
import { backup } from '../src/backup/backup.ts'
import { restore } from '../src/backup/restore.ts'
import { openSnapshot, type RecordLimit } from '../src/backup/snapshot.ts'
import { setState, settleRestore, stagedFile, writeStaged } from '../src/backup/staged.ts'
import { postgresDatabase } from '../src/backup/fill.ts'
import { checkArchive, readArchive, isRows, type Head, type RowsRecord } from '../src/backup/archive.ts'
import { backUp, fileIn, restoring, withDatabaseUrl } from './support/back-up.ts'
import { stopAll } from './support/cleanups.ts'
import { foldersOf, gatehouseHere } from './support/command.ts'
import { bearer, createToken } from './support/create-token.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { openSocket } from './support/oidc-service.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { changeDatabase, openDatabase } from './support/service-database.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const postgres = postgresUrl()
afterAll(stopAll)

async function newDatabase(): Promise<string> {
  const name = `gatehouse_backup_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  onTestFinished(async () => void (await askPostgres(postgres!, `drop database ${name} with (force)`)))
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

const urlOf = async (engine: string): Promise<string> => (engine === 'sqlite' ? 'sqlite' : newDatabase())

const config = (url: string, roles: object) => ({
  tls: { enabled: false },
  cameras: quietCameras,
  database: { url },
  auth: { roles },
})

/** A service with a user of each kind of role, a token, and a session. */
async function populated(url: string) {
  const service = await startService({ config: config(url, { guard: ['yard'] }) })
  const ann = await service.user('ann', 'guard')
  const { token } = await createToken(ann)
  return { service, ann, token }
}

const rolesOf = async ({ internal }: InProcessService) =>
  ((await internal.get('/api/users')).json as { username: string; role: string }[]).map(({ username, role }) => [
    username,
    role,
  ])

const entries = async ({ internal }: InProcessService) =>
  ((await internal.get('/api/audit?limit=500')).json as { entries: { id: number }[] }).entries

const statusOf = async ({ gate }: InProcessService, token: string) =>
  (await gate.get('/api/profile', bearer(token))).status

describe.each([
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
])('[OPS-1] a backup of %s, restored to %s', (from, to) => {
  const isMissing = postgres === undefined && (from === 'postgres' || to === 'postgres')

  test.skipIf(isMissing)('is the state of the moment, and everyone signs in again', async () => {
    const url = await urlOf(from)
    const { service, ann, token } = await populated(url)
    const before = await rolesOf(service)
    const audited = (await entries(service)).length
    expect((await backUp(service, url)).secretElsewhere).toBeUndefined()
    expect(statSync(fileIn(service)).mode & 0o777).toBe(0o600)
    // After the backup.
    await service.internal.put('/api/users/ann/role', { role: 'admin' })
    await service.user('later', 'admin')
    await service.stop()
    const target = from === to ? undefined : await urlOf(to)
    const result = await restore(restoring(service, { databaseUrl: target }))
    expect(result).toMatchObject({ version: '0.1.0', isSecretRight: true })
    const again = await service.restart()
    expect(await rolesOf(again)).toEqual(before)
    expect((await again.gate.get('/api/profile', ann.headers)).status).toBe(401)
    expect(await statusOf(again, token)).toBe(200)
    expect((await (await signIn(again.gate, 'ann')).get('/api/profile')).json).toMatchObject({ role: 'guard' })
    // New rows get new ids.
    const now = await entries(again)
    expect(now.length).toBeGreaterThan(audited)
    expect(new Set(now.map(({ id }) => id)).size).toBe(now.length)
    const restored = parse(readFileSync(again.configFile, 'utf8')) as { database: { url: string }; auth?: object }
    expect(restored.database.url).toBe(target ?? url)
    // With PostgreSQL, only the sections of the machine are in the file.
    expect(restored.auth).toEqual(to === 'sqlite' ? { roles: { guard: ['yard'] } } : undefined)
    const document = parse((await again.internal.get('/api/config/raw')).text) as { auth: object }
    expect(document.auth).toEqual({ roles: { guard: ['yard'] } })
    expect(readdirSync(again.configDir)).not.toContain('.restore')
  })

  test.skipIf(isMissing)('a backup of a restored database is the same', async () => {
    const url = await urlOf(from)
    const { service } = await populated(url)
    await backUp(service, url)
    await service.stop()
    const target = await urlOf(to)
    await restore(restoring(service, { databaseUrl: target }))
    const second = join(service.dir, 'second.gz')
    await backUp(service, target, second)
    const [one, other] = [await tablesIn(fileIn(service)), await tablesIn(second)]
    // It names the restore.
    const { meta = [], config_version: documents, ...others } = other
    // With PostgreSQL, the configuration is in the database.
    expect(documents?.length).toBe(to === 'sqlite' ? undefined : 1)
    expect(meta.filter(([key]) => key !== 'restored')).toEqual(one['meta'] ?? [])
    expect(others).toEqual({ ...one, meta: undefined, config_version: undefined })
  })
})

test('[OPS-1] a backup of names with line separators that JSON does not escape can be restored', async () => {
  const { service, ann } = await populated('sqlite')
  const name = 'a\u2028b\u2029c'
  await createToken(ann, { name: 'of an earlier version' })
  await changeDatabase(service, (database) =>
    database.prepare("update api_token set name = ? where name = 'of an earlier version'").run(name),
  )
  await backUp(service, 'sqlite')
  await service.stop()
  const before = await tablesIn(fileIn(service))
  expect(before['api_token']?.flat()).toContain(name)
  const { rows } = await checkArchive(fileIn(service))
  expect(await restore(restoring(service))).toMatchObject({ rows, isSecretRight: true })
  const second = join(service.dir, 'second.gz')
  await backUp(service, 'sqlite', second)
  expect((await tablesIn(second))['api_token']).toEqual(before['api_token'])
})

test.skipIf(postgres === undefined)(
  '[OPS-1] a line of a backup has only as many versions of a large configuration as fit into it',
  async () => {
    const url = await newDatabase()
    const { service } = await populated(url)
    const large = { ...config(url, { guard: ['yard'] }), networking: undefined, tls: undefined, database: undefined }
    for (const letter of ['a', 'b', 'c'])
      await service.internal.put('/api/config/raw', `# ${letter.repeat(2_000)}\n${stringify(large)}`, {
        'if-match': '*',
        'content-type': 'text/yaml',
      })
    const all = await recordsIn(url, service)
    const some = await recordsIn(url, service, { rows: 3, characters: 2_000 })
    expect(some.filter(({ table }) => table === 'config_version').map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1])
    for (const { rows } of some) {
      expect(rows.length).toBeLessThanOrEqual(3)
      if (rows.length > 1) expect(rows.flat().join('').length).toBeLessThanOrEqual(2_000)
    }
    expect(rowsOf(some)).toEqual(rowsOf(all))
  },
)

/** Without the audit log, to which the service may have added. */
const rowsOf = (records: readonly RowsRecord[]) =>
  records.filter(({ table }) => table !== 'audit').flatMap(({ table, rows }) => rows.map((row) => [table, row]))

async function recordsIn(url: string, { configDir }: InProcessService, limit?: RecordLimit): Promise<RowsRecord[]> {
  const snapshot = await openSnapshot({ url, configDir }, limit)
  try {
    const records: RowsRecord[] = []
    for await (const record of snapshot.rows()) records.push(record)
    return records
  } finally {
    await snapshot.close()
  }
}

async function tablesIn(file: string): Promise<Record<string, unknown[][]>> {
  const tables: Record<string, unknown[][]> = {}
  for await (const record of readArchive(file)) {
    if (!isRows(record)) continue
    const { table, columns, rows } = record
    const sorted = columns.toSorted()
    const same = rows.map((row) => sorted.map((name) => row[columns.indexOf(name)]))
    tables[table] = [...(tables[table] ?? []), ...same].toSorted((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    )
  }
  return tables
}

/**
 * Backups that released versions made: each release adds its own, of a service with a user `ann` whose role is `guard`, an
 * admin `bo`, this API token of ann, a share link, an invitation, a screen, an export and a review item.
 */
const kept = [
  ['0.1.0.backup', 'gh_4079993e38ebfd405e7c57515a6520d4_F4fbAULv1PAwYCPfMNqVdb1u04eyMj2Htg2eeu9eX8A'],
] as const

/** A service that ran once, so that it has folders and ports. */
async function stopped(): Promise<InProcessService> {
  const service = await startService({ config: config('sqlite', {}) })
  await service.stop()
  return service
}

/** To restore a backup of another installation, with the ports of this one. */
function withOwnPorts(service: InProcessService, file: string, databaseUrl: string) {
  const { networking } = parse(readFileSync(service.configFile, 'utf8')) as { networking: object }
  const own = (text: string, url: string) => stringify({ ...(parse(withDatabaseUrl(text, url)) as object), networking })
  return restoring(service, { file, databaseUrl, withDatabaseUrl: own })
}

describe.each(kept)('[OPS-2] %s', (name, token) => {
  test.skipIf(postgres === undefined).each(['sqlite', 'postgres'])('is upgraded, on %s', async (engine) => {
    const service = await stopped()
    await restore(withOwnPorts(service, join(import.meta.dirname, 'kept', name), await urlOf(engine)))
    const again = await service.restart()
    expect(await rolesOf(again)).toEqual([
      ['admin', 'admin'],
      ['ann', 'guard'],
      ['bo', 'admin'],
    ])
    const { gate, internal } = again
    expect((await gate.get('/api/profile', bearer(token))).json).toMatchObject({ allowed_cameras: ['yard'] })
    expect((await internal.get('/api/screens')).json).toMatchObject([{ name: 'hall', cameras: ['yard'] }])
    expect((await internal.get('/api/links/all')).text).toContain('"live"')
    expect((await internal.get('/api/audit')).text).toContain('token.create')
    expect((await signIn(gate, 'bo')).token).not.toBe('')
  })

  test.skipIf(postgres === undefined)(
    '[OPS-1] moved from SQLite to PostgreSQL and back keeps every table, with users, tokens, links, screens and exports',
    async () => {
      const service = await stopped()
      const urls = ['sqlite', await newDatabase(), 'sqlite']
      let file = join(import.meta.dirname, 'kept', name)
      const moved = []
      for (const [index, url] of urls.entries()) {
        await restore(withOwnPorts(service, file, url))
        file = join(service.dir, `${index}.gz`)
        await backUp(service, url, file)
        const { meta: _restores, config_version: _document, ...tables } = await tablesIn(file)
        moved.push(tables)
      }
      for (const table of ['user', 'api_token', 'share_link', 'screen', 'export', 'review_item'])
        expect(moved[0], table).toHaveProperty(table)
      expect(moved[1]).toEqual(moved[0])
      expect(moved[2]).toEqual(moved[0])
    },
  )
})

test.skipIf(postgres === undefined)(
  '[OPS-1] [ROLE-10] an instance that was not stopped ends the streams and sessions of before the restore',
  async () => {
    const url = await newDatabase()
    const { service, ann } = await populated(url)
    await backUp(service, url)
    const { closed } = await openSocket(ann, '/api/events')
    const configDir = join(service.dir, 'elsewhere')
    mkdirSync(configDir)
    await restore(restoring(service, { configDir }))
    await closed
    expect((await ann.get('/api/profile')).status).toBe(401)
  },
)

test('[OPS-1] [LINK-4] links that were used after the backup stay used after the restore', async () => {
  const { service } = await populated('sqlite')
  const secretOf = async (path: string, body?: object) => {
    const { id, url } = (await service.internal.post(path, body)).json as { id: string; url: string }
    return { id, secret: url.split('#')[1] }
  }
  const invitation = await secretOf('/api/invitations', { role: 'admin' })
  const reset = await secretOf('/api/users/ann/password-reset')
  await backUp(service, 'sqlite')
  const used = async ({ gate }: InProcessService, username: string) => {
    const accepted = await gate.post(`/api/invitations/${invitation.id}/accept`, {
      secret: invitation.secret,
      username,
      password,
    })
    const changed = await gate.post(`/api/password-resets/${reset.id}/accept`, { secret: reset.secret, password })
    return [accepted.status, changed.status]
  }
  expect(await used(service, 'eve')).toEqual([200, 200])
  await service.stop()
  await restore(restoring(service))
  expect(await used(await service.restart(), 'mallory')).toEqual([401, 401])
})

/** What takes the privilege to fill it from the owner of one table, as soon as the table is created. */
const revokeInsert = (role: string) =>
  `create function revoke_insert() returns event_trigger language plpgsql as $$ begin
     if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.audit')
     then revoke insert on audit from ${role}; end if; end $$;
   create event trigger revoke_insert on ddl_command_end when tag in ('CREATE TABLE') execute function revoke_insert()`

test.skipIf(postgres === undefined)(
  '[CMD-3] a command on a PostgreSQL database without tables says what creates them',
  async () => {
    const configDir = temporaryFolder()
    writeFileSync(join(configDir, 'config.yml'), stringify({ database: { url: await newDatabase() } }))
    const { status, errors } = await gatehouseHere(['user', 'list', '--config-dir', configDir])
    expect([status, errors]).toEqual([69, expect.stringMatching(/has no tables of Gatehouse yet\..*first start\.\n$/)])
  },
)

describe.skipIf(postgres === undefined)('[OPS-1] a restore by a PostgreSQL role that can’t', () => {
  test.each([
    [
      'read anything',
      (role: string) => [`revoke all on all tables in schema public from ${role}`],
      'permission denied',
    ],
    ['replace a table', () => [], 'must be owner of table'],
    [
      'fill a table',
      (role: string) => [
        `do $$ declare name text; begin for name in select tablename from pg_tables where schemaname = 'public'
         loop execute format('alter table %I owner to ${role}', name); end loop; end $$`,
        revokeInsert(role),
      ],
      'permission denied for table audit',
    ],
  ])('%s says so, and changes nothing', async (_what, changes, message) => {
    const role = `gatehouse_role_${randomBytes(6).toString('hex')}`
    await askPostgres(postgres!, `create role ${role} login`)
    onTestFinished(async () => void (await askPostgres(postgres!, `drop role ${role}`)))
    const url = await newDatabase()
    const { service } = await populated(url)
    await backUp(service, url)
    const before = await rolesOf(service)
    await service.stop()
    const statements = [
      `grant create on schema public to ${role}`,
      `grant all on all tables in schema public to ${role}`,
      ...changes(role),
    ]
    for (const statement of statements) await askPostgres(url, statement)
    const asRole = new URL(url)
    asRole.username = role
    asRole.password = ''
    const databaseUrl = asRole.href
    const database = { url: databaseUrl }
    const configDir = temporaryFolder()
    writeFileSync(join(configDir, 'config.yml'), stringify({ database }))
    const backedUp = await gatehouseHere(['backup', join(configDir, 'backup'), '--config-dir', configDir])
    // The one that can do nothing.
    if (message === 'permission denied')
      expect([backedUp.status, backedUp.errors]).toEqual([1, expect.stringMatching(/^The PostgreSQL role .*\.\n$/)])
    await expect(restore(restoring(service, { databaseUrl }))).rejects.toMatchObject({
      message: expect.stringMatching(`lacks a privilege \\(${message}`) as string,
      status: 69,
    })
    expect(readdirSync(service.configDir)).not.toContain('.restore')
    expect(await rolesOf(await service.restart())).toEqual(before)
  })
})

test('[OPS-1] a restore makes a SQLite file that can shrink, also of one that could not', async () => {
  const { service, token } = await populated('sqlite')
  await service.stop()
  const database = openDatabase({ configDir: service.configDir })
  database.exec('pragma auto_vacuum = none; vacuum')
  database.close()
  await backUp(service, 'sqlite')
  await restore(restoring(service))
  const again = await service.restart()
  expect((await again.gate.get('/api/profile', bearer(token))).status).toBe(200)
  expect(again.output()).not.toContain('database file rewritten')
  const restored = openDatabase(again, { readOnly: true })
  expect(restored.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 2 })
  restored.close()
})

describe('[OPS-1] an interrupted restore', () => {
  test('before the new state is complete leaves the old one', async () => {
    const { service } = await populated('sqlite')
    await service.stop()
    await writeStaged(service.configDir, 'config.yml', Buffer.from('cameras: {}'), 0o600)
    await writeStaged(service.configDir, 'gatehouse.db', Buffer.from('half'), 0o600)
    const again = await service.restart()
    expect(readdirSync(again.configDir)).not.toContain('.restore')
    expect((await rolesOf(again)).map(([name]) => name)).toContain('ann')
  })

  test('after that leaves the new one, however often it is interrupted', async () => {
    const { service, token } = await populated('sqlite')
    await backUp(service, 'sqlite')
    await service.internal.delete('/api/users/ann')
    await service.stop()
    const { configDir } = service
    // As a kill would leave it: the database is in place, the configuration is not.
    const text = readFileSync(service.configFile, 'utf8')
    await restore(restoring(service))
    const changed = { ...(parse(text) as object), auth: { roles: { guard: ['door'] } } }
    await writeStaged(configDir, 'config.yml', Buffer.from(stringify(changed)), 0o600)
    await setState(configDir, { state: 'ready' })
    const again = await service.restart()
    expect((await again.gate.get('/api/profile', bearer(token))).json).toMatchObject({ allowed_cameras: ['door'] })
  })

  test.skipIf(postgres === undefined).each([true, false])(
    'of a PostgreSQL database counts from its commit on: committed %s',
    async (isCommitted) => {
      const url = await newDatabase()
      const { service } = await populated(url)
      await backUp(service, url)
      await service.stop()
      await writeStaged(service.configDir, 'marker', Buffer.from('new'), 0o600)
      await setState(service.configDir, { state: 'filling', url, id: 'this restore' })
      if (isCommitted) {
        const database = await postgresDatabase(url)
        const head = await headOf(fileIn(service))
        await database.load({ head, rows: rowsIn(fileIn(service)), id: 'this restore', now: 0, document: '' })
        await database.close()
      }
      await settleRestore(service.configDir)
      expect(readdirSync(service.configDir).includes('marker')).toBe(isCommitted)
    },
  )

  test('of a database that cannot be asked stops the service at startup, and says why', async () => {
    const { service } = await populated('sqlite')
    await service.stop()
    await writeStaged(service.configDir, 'marker', Buffer.from('new'), 0o600)
    await setState(service.configDir, { state: 'filling', url: 'postgres://127.0.0.1:9/none', id: 'x' })
    await expect(settleRestore(service.configDir)).rejects.toThrow(/A restore was interrupted/)
    expect(readFileSync(stagedFile(service.configDir, 'marker'), 'utf8')).toBe('new')
  })
})

const headOf = async (file: string): Promise<Head> => {
  for await (const record of readArchive(file)) if ('gatehouse_backup' in record) return record
  throw new Error('no head')
}
async function* rowsIn(file: string) {
  for await (const record of readArchive(file)) if (isRows(record)) yield record
}

describe('[OPS-1] a restore is refused, and changes nothing', () => {
  const damaged: readonly (readonly [string, (lines: string[]) => string[] | Buffer, RegExp])[] = [
    ['without its end', (lines) => lines.slice(0, -1), /incomplete/],
    ['with a changed line', (lines) => lines.map((line) => line.replace('"ann"', '"bob"')), /damaged/],
    ['without a line', (lines) => lines.toSpliced(2, 1), /damaged/],
    ['with a line more', (lines) => [...lines, '{}'], /after its end/],
    ['cut off', (lines) => packed(lines).subarray(0, -40), /damaged|incomplete/],
    ['of another program', () => ['{"a":1}'], /not a Gatehouse backup/],
    ['that isn’t gzip', () => Buffer.from('hello'), /not a backup/],
    ['of a later format', (lines) => [lines[0]!.replace('backup":1', 'backup":2'), ...lines.slice(1)], /newer version/],
  ]
  test.each(damaged)('with a file %s', async (_what, change, message) => {
    const { service } = await populated('sqlite')
    await backUp(service, 'sqlite')
    await service.stop()
    const lines = gunzipSync(readFileSync(fileIn(service)))
      .toString()
      .trimEnd()
      .split('\n')
    const changed = change(lines)
    writeFileSync(fileIn(service), Array.isArray(changed) ? packed(changed) : changed)
    const before = readFileSync(join(service.configDir, 'gatehouse.db'))
    await expect(restore(restoring(service))).rejects.toThrow(message)
    expect(readFileSync(join(service.configDir, 'gatehouse.db'))).toEqual(before)
    expect(readdirSync(service.configDir)).not.toContain('.restore')
  })

  test.each(['../outside', 'tls/../../outside', '/etc/passwd', 'gatehouse.db'])(
    'with the file %s in it',
    async (path) => {
      const { service } = await populated('sqlite')
      await backUp(service, 'sqlite')
      await service.stop()
      const lines = gunzipSync(readFileSync(fileIn(service)))
        .toString()
        .trimEnd()
        .split('\n')
        .slice(0, -1)
      lines.splice(1, 0, JSON.stringify({ file: path, mode: 0o600, base64: '' }))
      writeFileSync(fileIn(service), packed([...lines, endOf(lines)]))
      await expect(restore(restoring(service))).rejects.toThrow(/a file that no backup has/)
    },
  )

  test('of a newer database', async () => {
    const { service } = await populated('sqlite')
    await backUp(service, 'sqlite')
    await service.stop()
    const lines = gunzipSync(readFileSync(fileIn(service)))
      .toString()
      .trimEnd()
      .split('\n')
      .slice(0, -1)
    lines[0] = lines[0]!.replace('"migrations":[', '"migrations":["9999-later",')
    writeFileSync(fileIn(service), packed([...lines, endOf(lines)]))
    await expect(restore(restoring(service))).rejects.toThrow(/Restore it with that version or a newer one/)
    await service.restart()
  })
})

const packed = (lines: readonly string[]): Buffer => gzipSync(lines.map((line) => `${line}\n`).join(''))

function endOf(lines: readonly string[]): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
  return JSON.stringify({ lines: lines.length, sha256 })
}

describe.each(['sqlite', 'postgres'])('[OPS-1] [OPS-2] a backup of a database of a newer version, on %s', (engine) => {
  test.skipIf(engine === 'postgres' && postgres === undefined)(
    'is refused, names that version, and leaves the file that it would replace',
    async () => {
      const url = await urlOf(engine)
      const { service } = await populated(url)
      await backUp(service, url)
      const before = readFileSync(fileIn(service))
      await service.stop()
      await writeTo(url, service, [
        "insert into migration (name, done_at) values ('9999-x', 0)",
        'create table later (id integer)',
        "update meta set value = '9.8.7' where key = 'migrated_by'",
      ])
      const env = foldersOf(service)
      const { status, output, errors } = await gatehouseHere(['backup', '--replace', fileIn(service)], { env })
      expect([status, output]).toEqual([78, ''])
      expect(errors).toMatch(/^The database was migrated by version 9\.8\.7 of Gatehouse \(it has 9999-x\)[^\n]*\n$/)
      expect(readFileSync(fileIn(service)).equals(before)).toBe(true)
      expect(readdirSync(service.dir).filter((name) => name.startsWith('backup.gz'))).toEqual(['backup.gz'])
      // One that doesn't exist yet isn't made either.
      const other = await gatehouseHere(['backup', join(service.dir, 'other')], { env })
      expect([other.status, readdirSync(service.dir).includes('other')]).toEqual([78, false])
    },
  )
})

async function writeTo(url: string, service: InProcessService, statements: readonly string[]): Promise<void> {
  if (url !== 'sqlite') {
    for (const statement of statements) await askPostgres(url, statement)
    return
  }
  const database = openDatabase({ configDir: service.configDir })
  for (const statement of statements) database.exec(statement)
  database.close()
}

test('[OPS-1] a backup never replaces a file unless it is told to, and names a secret that it has not', async () => {
  const { service } = await populated('sqlite')
  const { configDir } = service
  const common = {
    file: fileIn(service),
    version: '0.1.0',
    now: 0,
    configDir,
    url: 'sqlite',
    wholeConfig: configTexts.join,
  }
  const env = { SERVICE_JWT_SECRET: 's'.repeat(64) }
  writeFileSync(fileIn(service), 'mine')
  await expect(backup({ ...common, env, replace: false })).rejects.toThrow('The file already exists.')
  expect(readFileSync(fileIn(service), 'utf8')).toBe('mine')
  const { secretElsewhere } = await backup({ ...common, env, replace: true })
  expect(secretElsewhere).toBe('the environment variable SERVICE_JWT_SECRET')
  expect(readdirSync(service.dir).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
