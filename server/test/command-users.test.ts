import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { foldersOf, gatehouse, gatehouseHere, startCommand } from './support/command.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { changeDatabase, openDatabase } from './support/service-database.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const other = 'another long enough password'
const roles = { guard: ['yard'] }

interface Entry {
  readonly action: string
  readonly target: string | null
  readonly user: string | null
  readonly auth_method: string | null
  readonly credential?: { readonly name: string }
}

const start = (more: object = {}) =>
  startService({
    config: { tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null }, ...more },
    realHashes: true,
  })

/** Runs the command beside a service, or with the folders of one that has stopped. */
const run = (service: InProcessService, words: readonly string[], input?: string) =>
  gatehouse(words, { env: foldersOf(service), ...(input !== undefined && { input }) })

/** The same in the process of the test. */
const runHere = (service: InProcessService, words: readonly string[], input?: string) =>
  gatehouseHere(words, { env: foldersOf(service), ...(input !== undefined && { input }) })

const login = ({ gate }: InProcessService, user: string, secret: string) =>
  gate.post('/api/login', { user, password: secret }).then(({ status }) => status)

const entries = async ({ internal }: InProcessService, target: string) =>
  ((await internal.get('/api/audit')).json as { entries: Entry[] }).entries.filter((entry) => entry.target === target)

const engines: readonly (readonly [name: string, database: () => Promise<object>])[] = [
  ['SQLite', () => Promise.resolve({})],
  ...(postgresUrl() === undefined ? [] : [['PostgreSQL', postgresDatabase] as const]),
]

async function postgresDatabase(): Promise<object> {
  const name = `gatehouse_command_${randomBytes(6).toString('hex')}`
  const server = postgresUrl() ?? ''
  await askPostgres(server, `create database ${name}`)
  return { database: { url: server.replace(/\/[^/]*$/, `/${name}`) } }
}

describe.each(engines)('beside a running service with %s', (_name, database) => {
  test('[CMD-3] `user add` creates a user, who is asked for a new password; it is printed once and audited', async () => {
    const service = await start(await database())
    const { status, output, errors } = await run(service, ['user', 'add', 'Bea', '--role', 'guard'])
    expect([status, errors]).toEqual([0, expect.stringContaining('Created the user Bea with the role guard.')])
    const generated = output.trimEnd()
    expect(generated).toMatch(/^[a-z2-9]{28}$/)
    const bea = await signIn(service.gate, 'bea', generated)
    expect((await bea.get('/api/profile')).json).toMatchObject({ username: 'Bea', role: 'guard' })
    expect(await entries(service, 'Bea')).toEqual([
      expect.objectContaining({ action: 'user.create', user: null, auth_method: 'command', detail: 'guard' }),
    ])
    expect((await service.internal.get('/api/audit')).text).not.toContain(generated)
    expect(service.output()).not.toContain(generated)
    expect(await run(service, ['user', 'add', 'BEA', '--role', 'viewer'])).toMatchObject({ status: 1, output: '' })
  })

  test('[CMD-3] [TOK-7] `user reset` ends every session within a second, and enables the user', async () => {
    const service = await start(await database())
    const ann = await service.user('ann')
    const bob = await service.user('bob')
    const socket = ann.socket('/api/events')
    await once(socket, 'open')
    const closed = once(socket, 'close')
    const { status, output } = await run(
      service,
      ['user', 'reset', 'Ann', '--password-stdin', '--role', 'guard'],
      `${other}\n`,
    )
    const elapsed = stopwatch()
    expect([status, output]).toEqual([0, ''])
    await closed
    expect(elapsed()).toBeLessThan(1_000)
    expect([await statusOf(ann), await statusOf(bob)]).toEqual([401, 200])
    expect([await login(service, 'ann', password), await login(service, 'ann', other)]).toEqual([401, 200])
    expect((await service.internal.get('/api/users/ann')).json).toMatchObject({ role: 'guard' })
    await service.internal.put('/api/users/ann/status', { disabled: true })
    expect(await login(service, 'ann', other)).toBe(401)
    expect((await run(service, ['user', 'reset', 'ann', '--password-stdin'], other)).status).toBe(0)
    expect(await login(service, 'ann', other)).toBe(200)
    const found = (await entries(service, 'ann')).filter(({ auth_method }) => auth_method === 'command')
    expect(found.map(({ action }) => action).sort()).toEqual([
      'user.password',
      'user.password',
      'user.role',
      'user.status',
    ])
  })

  test('[CMD-3] [USER-6] the last admin keeps the role, and nothing else is changed either', async () => {
    const service = await start(await database())
    const printed = /password:\s+(\S+)/.exec(service.output())?.[1] ?? ''
    const refused = await runHere(service, ['user', 'reset', 'admin', '--role', 'viewer'])
    expect(refused).toMatchObject({ status: 1, output: '', errors: expect.stringMatching(/only admin/) })
    expect(await login(service, 'admin', printed)).toBe(200)
  })

  test('[CMD-3] `user list` shows role, sign-in, status and last sign-in; with --json for programs', async () => {
    const service = await start(await database())
    await service.user('ann', 'guard')
    const { status, output } = await run(service, ['user', 'list'])
    expect(status).toBe(0)
    expect(output).toMatch(
      /^NAME +ROLE +SIGN-IN +STATUS +LAST SIGN-IN\nadmin +admin +password +active +never\nann +guard +password +active +20\S+Z\n$/,
    )
    const { output: json } = await runHere(service, ['user', 'list', '--json'])
    expect(JSON.parse(json)).toMatchObject([
      { username: 'admin', status: 'active' },
      { username: 'ann', role: 'guard' },
    ])
    expect(output + json).not.toContain('pbkdf2')
  })
})

test('[CMD-3] without a running service: a reset takes effect at startup, and the audit outputs get its entry', async () => {
  const service = await start({ audit: { outputs: { file: { type: 'file', path: 'audit.jsonl' } } } })
  const ann = await service.user('ann')
  await service.stop()
  expect((await run(service, ['user', 'reset', 'ann', '--password-stdin'], other)).status).toBe(0)
  const again = await service.restart()
  expect(await statusOf(again.gate.with(ann.headers))).toBe(401)
  expect(await login(again, 'ann', other)).toBe(200)
  const written = () => readFileSync(join(again.configDir, 'audit.jsonl'), 'utf8')
  await expect.poll(written).toMatch(/"action":"user\.password".*"auth_method":"command".*"target":"ann"/)
  expect((await run(again, ['user', 'add', 'bea', '--role', 'viewer'])).status).toBe(0)
  await expect.poll(written).toMatch(/"auth_method":"command".*"target":"bea"/)
})

test('[CMD-3] `user reset --factors` removes the second factors, and without it they stay', async () => {
  const service = await start()
  await service.user('ann')
  await changeDatabase(service, (database) =>
    database.exec(`insert into totp (user_id, secret, created_at, last_step, failures) select id, 'x', 1, 1, 0 from user where key = 'ann';
      update user set has_factor = 1 where key = 'ann'`),
  )
  const factors = () => {
    const database = openDatabase(service, { readOnly: true })
    const rows = database.prepare('select count(*) as n from totp').get()
    database.close()
    return rows?.['n']
  }
  expect((await run(service, ['user', 'reset', 'ann', '--password-stdin'], other)).status).toBe(0)
  expect(factors()).toBe(1)
  expect((await run(service, ['user', 'reset', 'ann', '--password-stdin', '--factors'], other)).status).toBe(0)
  expect(factors()).toBe(0)
  expect(await login(service, 'ann', other)).toBe(200)
  expect((await entries(service, 'ann')).map(({ action }) => action)).toContain('factor.reset')
})

describe('with the folders of a service that has stopped', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startRefusals()
  })
  afterAll(stopAll)

  test.each([
    [['add', 'b b', '--role', 'viewer'], '', 64, /^name: /],
    [['add', 'bea'], '', 64, /--role/],
    [['add', 'bea', '--role', 'guest'], '', 64, /^role: .*admin, viewer, guard/],
    [['add', 'bea', '--role', 'viewer', '--password-stdin'], 'tiny-secret', 64, /^password: /],
    [['add', 'bea', '--role', 'viewer', '--password-stdin'], '', 64, /^password: /],
    [['add', 'beatrice-smith', '--role', 'viewer', '--password-stdin'], 'Beatrice-Smith', 64, /^password: /],
    [['reset', 'ann', '--password-stdin'], '123456789012', 64, /^password: /],
    [['reset', 'ann', '--role', 'guest'], '', 64, /^role: /],
    [['reset', 'no-one'], '', 1, /user "no-one" not found/i],
    [['reset', 'Olga'], '', 1, /identity provider/],
  ] as const)(
    '[CMD-3] [USER-2, USER-4] `user %j` with %j exits with %i and changes nothing',
    async (words, input, status, message) => {
      const before = dump(service)
      const result = await runHere(service, ['user', ...words], input)
      expect([result.status, result.output, result.errors]).toEqual([status, '', expect.stringMatching(message)])
      if (input !== '') expect(result.errors).not.toContain(input)
      expect(dump(service)).toEqual(before)
    },
  )
})

/** A stopped service with a local user and one of a provider. */
async function startRefusals(): Promise<InProcessService> {
  const service = await startService({ config: { tls: { enabled: false }, auth: { roles } } })
  await service.user('ann')
  await service.stop()
  const database = openDatabase({ configDir: service.configDir })
  database.exec(`update user set name = 'Olga', key = 'oidc:${'0'.repeat(64)}', issuer = 'https://idp', subject = 'o'
    where key = 'admin'`)
  database.close()
  return service
}

function dump({ configDir }: InProcessService): unknown {
  const database = openDatabase({ configDir }, { readOnly: true })
  const rows = ['user', 'session', 'audit'].map((table) => database.prepare(`select * from ${table}`).all())
  database.close()
  return rows
}

test('[CMD-3] a locked or missing database and a broken configuration have their exit codes; no database is created', async () => {
  const service = await start()
  const locking = openDatabase({ configDir: service.configDir })
  locking.exec('begin immediate')
  expect(await runHere(service, ['user', 'add', 'bea', '--role', 'viewer'])).toMatchObject({ status: 69, output: '' })
  locking.close()
  await service.stop()
  mkdirSync(join(service.configDir, '.restore'))
  expect(await runHere(service, ['user', 'list'])).toMatchObject({
    status: 1,
    errors: expect.stringContaining('restore'),
  })
  rmSync(join(service.configDir, '.restore'), { recursive: true })
  const path = join(service.configDir, 'gatehouse.db')
  renameSync(path, `${path}.away`)
  expect((await runHere(service, ['user', 'list'])).status).toBe(66)
  symlinkSync('nowhere', path)
  expect((await runHere(service, ['user', 'list'])).status).toBe(66)
  const configDir = join(service.dir, 'other')
  expect((await runHere({ ...service, configDir }, ['user', 'list'])).status).toBe(66)
})

test('[CMD-3] the database of an earlier version is not migrated under a running service', async () => {
  const service = await start()
  await service.stop()
  const database = openDatabase({ configDir: service.configDir })
  database.exec(`delete from migration where name = (select max(name) from migration)`)
  database.close()
  const result = await runHere(service, ['user', 'list'])
  expect([result.status, result.errors]).toEqual([78, expect.stringContaining('earlier version')])
})

test('[CMD-3] only the placeholders of the database have to be filled, and no secret is printed', async () => {
  const service = await start()
  await service.stop()
  const change = (text: string) => writeFileSync(service.configFile, text)
  change(
    'cameras: {yard: {source: "rtsp://u:{SERVICE_CAM_PASSWORD}@192.0.2.7/a"}}\nproxy: {auth_secret: "{SERVICE_PROXY_SECRET}"}\n',
  )
  expect((await runHere(service, ['user', 'list'])).status).toBe(0)
  change('database: {url: "postgres://u:{SERVICE_DATABASE_PASSWORD}@127.0.0.1:1/x"}\n')
  expect(await runHere(service, ['user', 'list'])).toMatchObject({ status: 78, output: '' })
  const env = { ...foldersOf(service), SERVICE_DATABASE_PASSWORD: 'hunter2' }
  const { status, output, errors } = await gatehouseHere(['user', 'list'], { env })
  expect([status, output, errors]).toEqual([69, '', expect.stringContaining('PostgreSQL')])
  expect(errors).not.toContain('hunter2')
})

/** Milliseconds after which each reset is killed; the last one has ended by itself. */
const kills = [250, 400, 500, 600, 700, 850, 1_000, 30_000]

test('[CMD-3] a kill -9 in the middle of `user reset` leaves the old or the new password, with its sessions', async () => {
  const service = await start()
  let current = password
  const outcomes = new Set<boolean>()
  for (const [round, delay] of kills.entries()) {
    const ann = await (round === 0 ? service.user('ann') : signIn(service.gate, 'ann', current))
    const next = `password of round ${round}`
    const role = round % 2 === 0 ? 'guard' : 'viewer'
    const child = startCommand(['user', 'reset', 'ann', '--password-stdin', '--role', role], {
      env: foldersOf(service),
      input: next,
    })
    const ended = once(child, 'exit')
    await Promise.race([ended, wait(delay, 'until the reset is somewhere in the middle')])
    child.kill('SIGKILL')
    await ended
    const isNew = (await login(service, 'ann', next)) === 200
    outcomes.add(isNew)
    expect(await login(service, 'ann', current)).toBe(isNew ? 401 : 200)
    await within(1000, async () => expect(await statusOf(ann)).toBe(isNew ? 401 : 200))
    const { role: has } = (await service.internal.get('/api/users/ann')).json as { role: string }
    if (isNew) expect(has).toBe(role)
    if (isNew) current = next
  }
  expect(outcomes.size).toBe(2)
})
