import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { stopAll } from './support/cleanups.ts'
import { canCluster, freshDatabase } from './support/cluster.ts'
import { foldersOf, gatehouse, gatehouseHere } from './support/command.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'

const start = (shared: object, more: object) =>
  startService({
    config: { cameras: undefined, ...shared, tls: { enabled: false }, ...more },
    env: { SERVICE_JWT_SECRET },
  })

const run = (service: InProcessService, ...words: string[]) => gatehouse(words, { env: foldersOf(service) })
const runHere = (service: InProcessService, ...words: string[]) => gatehouseHere(words, { env: foldersOf(service) })

const raw = async ({ internal }: InProcessService) => (await internal.get('/api/config/raw')).text

const engines: readonly (readonly [name: string, database: () => Promise<object>])[] = [
  ['SQLite', () => Promise.resolve({})],
  ...(canCluster ? [['PostgreSQL', async () => ({ database: { url: await freshDatabase() } })] as const] : []),
]

describe.each(engines)('with %s', (name, database) => {
  afterAll(stopAll)

  test('[NODE-1] `config export` prints a complete config.yml, and `config import` applies one within a second, with comments', async () => {
    const service = await start({ auth: { roles: { guard: ['yard'] } }, cameras: quietCameras }, await database())
    const exported = await run(service, 'config', 'export')
    expect([exported.status, exported.errors]).toEqual([0, ''])
    const whole = parse(exported.output) as Record<string, unknown>
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(['auth', 'cameras', 'networking', 'tls']))
    const file = join(service.dir, 'mine.yml')
    writeFileSync(file, exported.output.replace('- yard', '- door # the front one'))
    const imported = await run(service, 'config', 'import', file)
    expect([imported.status, imported.errors]).toEqual([0, expect.stringMatching(/^(Imported as version 2|Replaced)/)])
    const guard = expect.objectContaining({ name: 'guard', cameras: ['door'] }) as unknown
    await within(4000, async () => expect((await service.internal.get('/api/roles')).json).toContainEqual(guard))
    expect(await raw(service)).toContain('- door # the front one')
    expect((await raw(service)).includes('networking')).toBe(name === 'SQLite')
    const copy = join(service.dir, 'copy.yml')
    expect((await run(service, 'config', 'export', copy)).status).toBe(0)
    expect(readFileSync(copy, 'utf8')).toContain('- door # the front one')
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect((await run(service, 'config', 'export', copy)).errors).toContain('--replace')
    const { entries } = (await service.internal.get('/api/audit?limit=100')).json as {
      entries: { action: string; auth_method: string | null }[]
    }
    expect(entries.filter(({ action }) => action === 'config.save').map((entry) => entry.auth_method)).toEqual([
      'command',
    ])
  })

  test('[NODE-1] `config import` refuses a file with problems, without keys, or without a role that users have', async () => {
    const service = await start({ auth: { roles: { guard: ['yard'] } }, cameras: quietCameras }, await database())
    await service.user('gill', 'guard')
    const before = await raw(service)
    const file = join(service.dir, 'mine.yml')
    const importing = async (text: string, ...more: string[]) => {
      writeFileSync(file, text)
      const { status, errors } = await runHere(service, 'config', 'import', file, ...more)
      return [status, errors]
    }
    expect(await importing('auth: { session_length: soon }\nunknown: 1\n')).toEqual([
      78,
      expect.stringMatching(/1:25 auth\.session_length.*\n.*2:1 unknown/),
    ])
    expect(await importing('# nothing\n')).toEqual([78, expect.stringContaining('no keys')])
    expect(await importing('audit: { retain_days: 3 }\n')).toEqual([1, expect.stringMatching(/guard.*gill/)])
    expect(await raw(service)).toBe(before)
    expect(await importing('audit: { retain_days: 3 }\n', '--orphan-roles')).toEqual([0, expect.anything()])
    expect(await raw(service)).toContain('retain_days: 3')
    expect((await runHere(service, 'config', 'import', join(service.dir, 'none.yml'))).status).toBe(66)
  })
})

test('[AUD-1] with SQLite, `config import` replaces nothing if its audit entry can’t be written', async () => {
  const service = await start({ cameras: quietCameras }, {})
  await service.stop()
  const before = readFileSync(service.configFile, 'utf8')
  const file = join(service.dir, 'mine.yml')
  writeFileSync(file, `${before}\n# mine\n`)
  const other = new DatabaseSync(join(service.configDir, 'gatehouse.db'))
  other.exec('begin immediate')
  expect((await runHere(service, 'config', 'import', file)).status).toBe(69)
  expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  other.exec('rollback')
  other.close()
  expect((await runHere(service, 'config', 'import', file)).status).toBe(0)
  expect(readFileSync(service.configFile, 'utf8')).toContain('# mine')
})

test('[AUD-1] with SQLite, `config import` replaces nothing if its audit entry can’t be committed, and notes a file that can’t be written', async () => {
  const service = await start({ cameras: quietCameras }, {})
  await service.stop()
  const before = readFileSync(service.configFile, 'utf8')
  const file = join(service.dir, 'mine.yml')
  writeFileSync(file, `${before}\n# mine\n`)
  const database = new DatabaseSync(join(service.configDir, 'gatehouse.db'))
  // Checked only at the commit.
  database.exec(`create table parent (id integer primary key);
    create table child (id integer references parent deferrable initially deferred);
    create trigger fails after insert on audit begin insert into child values (1); end`)
  expect((await runHere(service, 'config', 'import', file)).status).not.toBe(0)
  expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  database.exec('drop trigger fails')
  mkdirSync(`${service.configFile}.previous`)
  expect((await runHere(service, 'config', 'import', file)).status).not.toBe(0)
  expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  const saved = database.prepare("select result from audit where action = 'config.save' order by id").all()
  database.close()
  expect(saved).toMatchObject([{ result: 'success' }, { result: 'failure' }])
})

test.skipIf(!canCluster)(
  '[CMD-3] `user list --json` lists the users if the shared configuration has problems',
  async () => {
    const url = await freshDatabase()
    const service = await start({ cameras: quietCameras }, { database: { url } })
    const listed = async () => {
      const { status, output, errors } = await runHere(service, 'user', 'list', '--json')
      return { status, errors, users: JSON.parse(output) as Record<string, unknown>[] }
    }
    expect(await listed()).toMatchObject({ status: 0, errors: '', users: [{ username: 'admin', blocked: null }] })
    await service.stop()
    await askPostgres(url, "update config_version set document = 'unknown: 1'")
    const { status, errors, users } = await listed()
    expect([status, errors]).toEqual([0, expect.stringMatching(/`blocked`.*\n.*unknown/)])
    expect(users).toEqual([expect.objectContaining({ username: 'admin', status: 'active' })])
    expect(users[0]).not.toHaveProperty('blocked')
  },
)

test.skipIf(!canCluster)('[NODE-1] `config import` brings back a configuration that was lost', async () => {
  const url = await freshDatabase()
  const service = await start({ auth: { roles: { guard: ['yard'] } }, cameras: quietCameras }, { database: { url } })
  await service.user('gill', 'guard')
  const kept = join(service.dir, 'kept.yml')
  expect((await run(service, 'config', 'export', kept)).status).toBe(0)
  await service.stop()
  await askPostgres(url, 'truncate config_version')
  expect((await run(service, 'config', 'import', kept)).status).toBe(0)
  const again = await service.restart()
  expect((await again.internal.get('/api/roles')).json).toContainEqual(
    expect.objectContaining({ name: 'guard', cameras: ['yard'], users: 1 }),
  )
})
