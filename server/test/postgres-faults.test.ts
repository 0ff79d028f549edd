import { once } from 'node:events'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { leaseTimes } from '../src/cluster/lease.ts'
import { testEntry } from './support/test-entry.ts'
import { openStore } from '../src/store/open.ts'
import { clientOptions, migrationLimits, postgresListenConnection } from '../src/store/postgres/dialect.ts'
import { lineTo } from './support/database-line.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { silent } from './support/null-log.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { password } from './support/sign-in.ts'
import { socketStatus } from './support/socket-status.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type Reply, type TestClient } from './support/test-client.ts'
import { createTestClock } from './support/test-clock.ts'
import { wait } from './support/wait.ts'

const server = postgresUrl()

const eventually = { timeout: 120_000, interval: 50 }

/** Named like the processes of PostgreSQL that serve its databases. */
const ours = `_${process.pid} `

/** A status that a change leads to within a second. */
const leadsTo = (status: number, ask: () => Promise<number>) =>
  within(1000, async () => expect(await ask()).toBe(status), ours)

/** Creates a database on the server of the tests. @returns its URL */
async function createDatabase(name: string): Promise<string> {
  const database = `gatehouse_${name}_${process.pid}`
  await askPostgres(server!, `drop database if exists ${database} with (force)`)
  await askPostgres(server!, `create database ${database}`)
  const url = new URL(server!)
  url.pathname = `/${database}`
  return url.href
}

const instance = (url: string, config: Record<string, unknown> = {}): Promise<InProcessService> =>
  startService({
    config: {
      tls: { enabled: false },
      auth: { roles: { guard: ['door'] }, failed_login_rate_limit: null },
      ...config,
      database: { url },
    },
    env: { SERVICE_JWT_SECRET },
  })

/** Makes commits after a change of a table take three seconds, longer than the limit of a statement: like a synchronous standby. */
async function slowCommits(url: string, change: string): Promise<void> {
  await askPostgres(
    url,
    `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(3); return null; end'`,
  )
  await askPostgres(
    url,
    `create constraint trigger slow after ${change} deferrable initially deferred for each row execute function slow()`,
  )
}

const login = ({ gate }: InProcessService, user = 'ann') => gate.post('/api/login', { user, password })

async function expectUnavailable(response: Promise<Reply>): Promise<void> {
  const elapsed = stopwatch()
  const { status, json, headers } = await response
  expect([status, json]).toMatchObject([503, { code: 'unavailable' }])
  expect(headers).toHaveProperty('retry-after')
  expect(elapsed()).toBeLessThan(4500)
}

/** Opens a stream. @returns the socket, and the promise of its close code */
async function watching(client: TestClient, camera = 'yard'): Promise<{ socket: WebSocket; closed: Promise<unknown> }> {
  const socket = client.socket(`/api/cameras/${camera}/live`)
  const closed = once(socket, 'close').then(([code]) => code as unknown)
  await once(socket, 'open')
  return { socket, closed }
}

/**
 * Measures from now, while the database is away, how long a stream stays open.
 *
 * @returns checks that it ended because its permission could not be confirmed, within the time of a lease
 */
function endsInTime(closed: Promise<unknown>): () => Promise<void> {
  const elapsed = stopwatch(ours)
  const ended = closed.then((code) => ({ code, after: elapsed() }))
  return async () => {
    const { code, after } = await ended
    expect(code).toBe(1013)
    expect(after).toBeLessThan(leaseTimes.valid)
  }
}

describe.skipIf(server === undefined)('PostgreSQL', () => {
  test('[ROLE-10] with a LISTEN connection that is silent but open, a revocation elsewhere applies within a second', async () => {
    const url = await createDatabase('silent')
    const line = await lineTo(url)
    const [elsewhere, service] = [await instance(url), await instance(line.url)]
    const ann = service.gate.with((await elsewhere.user('ann')).headers)
    const bob = await elsewhere.user('bob', 'guard')
    const there = service.gate.with(bob.headers)
    expect([await statusOf(ann), await statusOf(there, '/api/cameras/door')]).toEqual([200, 200])
    const { closed } = await watching(ann)
    let closeCode: unknown
    void closed.then((code) => (closeCode = code))
    line.silenceListening()
    expect((await elsewhere.internal.delete('/api/sessions?user=ann')).status).toBe(204)
    await leadsTo(401, () => statusOf(ann))
    await within(1000, () => expect(closeCode).toBe(4401), ours)
    expect((await elsewhere.internal.put('/api/users/bob/role', { role: 'admin' })).status).toBe(200)
    expect((await elsewhere.internal.put('/api/users/bob/role', { role: 'viewer' })).status).toBe(200)
    await leadsTo(200, () => statusOf(there, '/api/cameras/yard'))
    // A second, silent connection does not replace it unnoticed.
    await service.printed(/LISTEN connection lost/)
  })

  test('[ROLE-10] behind a pooler that lends a connection only for a transaction, no notification arrives: the log says what helps, and a revocation elsewhere applies within a second', async () => {
    const url = await createDatabase('pooled')
    const line = await lineTo(url)
    line.dropNotifications()
    const [elsewhere, service] = [await instance(url), await instance(line.url)]
    const ann = service.gate.with((await elsewhere.user('ann')).headers)
    expect(await statusOf(ann)).toBe(200)
    const { closed } = await watching(ann)
    expect((await elsewhere.internal.delete('/api/sessions?user=ann')).status).toBe(204)
    await leadsTo(401, () => statusOf(ann))
    await within(1000, async () => expect(await closed).toBe(4401), ours)
    await service.printed(/session pooling.*LISTEN connection lost/)
  })

  test('[ROLE-10] a server that takes its time is not taken for a pooler', async () => {
    const line = await lineTo(server!)
    // The steps that come before the notification take longer than the notification itself has.
    line.delay(800)
    const open = postgresListenConnection(clientOptions(line.url, migrationLimits))
    const connection = await open(
      'gatehouse',
      () => undefined,
      () => undefined,
    )
    line.delay(0)
    await connection.close()
  })

  test('slow: what it answers in time is right, and what it does not answer is denied, until it is fast again', async () => {
    const url = await createDatabase('slow')
    const line = await lineTo(url)
    const [elsewhere, service] = [await instance(url), await instance(line.url)]
    const ann = await service.user('ann')
    const gus = await service.user('gus', 'guard')
    const { closed } = await watching(ann)
    line.delay(100)
    expect((await login(service)).status).toBe(200)
    expect(await statusOf(gus, '/api/cameras/yard')).toBe(403)
    expect((await elsewhere.internal.delete('/api/sessions?user=gus')).status).toBe(204)
    await leadsTo(401, () => statusOf(gus))
    line.delay(4000)
    const expectEnded = endsInTime(closed)
    // Until then, changes of other instances still arrive in time.
    await expect.poll(() => statusOf(ann), eventually).toBe(503)
    await Promise.all([
      expectUnavailable(login(service)),
      expectUnavailable(ann.get('/api/profile')),
      expectUnavailable(service.internal.put('/api/users/ann/role', { role: 'admin' })),
      expectUnavailable(service.gate.get('/api/health')),
    ])
    expect(await statusOf(service.gate)).toBe(401)
    await expectEnded()
    expect(service.output()).toMatch(/closing stream: reauthorization failed/)
    line.delay(0)
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(200)
    await expect.poll(() => statusOf(ann), eventually).toBe(200)
    expect((await ann.get('/api/profile')).json).toMatchObject({ role: 'viewer' })
  })

  test('[ROLE-10] [NODE-1] cut off from it, the gate lets no one in whom a proxy signs in, and their streams end, no later than a lease', async () => {
    const url = await createDatabase('cut_off')
    const line = await lineTo(url)
    const proxy = { header_map: { user: 'remote-user', role: 'remote-groups' }, trusted_peers: ['127.0.0.0/8'] }
    const behindProxy = { auth: { enabled: false, roles: { guard: ['door'] } }, proxy }
    const [elsewhere, service] = [await instance(url, behindProxy), await instance(line.url, behindProxy)]
    const pat = service.gate.with({ 'remote-user': 'pat', 'remote-groups': 'guard' })
    const { closed } = await watching(pat, 'door')
    const inside = await watching(service.internal, 'door')
    let closeCode: unknown
    void closed.then((code) => (closeCode = code))
    line.partition(true)
    const elapsed = stopwatch(ours)
    expect((await elsewhere.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBe(200)
    await expect.poll(() => closeCode, { ...eventually, interval: 20 }).toBe(1013)
    await expect.poll(() => statusOf(pat, '/api/cameras/door'), eventually).toBe(503)
    expect(elapsed()).toBeLessThan(6000)
    await expectUnavailable(pat.get('/api/profile'))
    expect(await socketStatus(pat.socket('/api/cameras/door/live'))).toBe(503)
    expect(await statusOf(pat, '/api/auth')).toBe(403)
    expect(await statusOf(service.gate, '/api/login/methods')).toBe(200)
    // The internal port enforces no role, so none can be lost there.
    expect(await statusOf(service.internal, '/api/cameras/door')).toBe(200)
    expect(inside.socket.readyState).toBe(inside.socket.OPEN)
    inside.socket.close()
    line.partition(false)
    const seen = new Set<number>()
    const next = async () => seen.add(await statusOf(pat, '/api/cameras/door')).has(403)
    await expect.poll(next, eventually).toBe(true)
    expect([...seen].filter((status) => status !== 503)).toEqual([403])
    expect(await statusOf(pat, '/api/cameras/yard')).toBe(200)
  })

  test('[ROLE-10] [NODE-1] an announced configuration that can not be read lets no one in, and ends streams, no later than a lease', async () => {
    const url = await createDatabase('unread')
    const service = await instance(url)
    const ann = await service.user('ann')
    const { closed } = await watching(ann)
    const other = new Client(url)
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin; lock table config_version in access exclusive mode')
    const elapsed = stopwatch(ours)
    await askPostgres(url, `select pg_notify('gatehouse', '{"from":"another","message":{"kind":"config"}}')`)
    expect(await closed).toBe(1013)
    expect(elapsed()).toBeLessThan(6000)
    await expectUnavailable(ann.get('/api/profile'))
    await other.query('rollback')
    await expect.poll(() => statusOf(ann), eventually).toBe(200)
  })

  test('with connections that are open but silent: no request waits long, and new connections replace them', async () => {
    const line = await lineTo(await createDatabase('dead'))
    const service = await instance(line.url)
    const ann = await service.user('ann')
    line.silenceOpen()
    await expectUnavailable(login(service))
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(200)
    await expect.poll(() => login(service).then(({ status }) => status), eventually).toBe(200)
    expect((await ann.get('/api/profile')).json).toMatchObject({ role: 'viewer' })
  })

  test('[NODE-1] a service that starts waits longer than a request for a database that is busy', async () => {
    const url = await createDatabase('busy')
    await (await instance(url)).stop()
    const other = new Client(url)
    await other.connect()
    await other.query('begin; lock table config_version in access exclusive mode')
    const starting = instance(url)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => askPostgres(url, waiting), eventually).toHaveLength(1)
    await wait(2500, 'the server ends a statement of a request after two seconds')
    await other.end()
    const service = await starting
    expect(await statusOf(service.gate, '/api/health')).toBe(200)
    // From now on, a statement ends sooner.
    const busy = new Client(url)
    await busy.connect()
    onTestFinished(() => busy.end())
    await busy.query('begin; lock table "user" in access exclusive mode')
    await expectUnavailable(login(service))
  })

  test('a transaction that began too late is not continued by a later change', async () => {
    const url = await createDatabase('late')
    const line = await lineTo(url)
    const store = await openStore({ url: line.url, configDir: '', log: silent })
    store.ready()
    onTestFinished(() => store.close())
    line.delay(3000)
    await expect(store.transaction(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' })
    line.delay(0)
    await store.db.insertInto('meta').values({ key: 'late', value: '' }).execute()
    expect(await askPostgres(url, `select key from meta where key = 'late'`)).toHaveLength(1)
  })

  test('a connection that can only read is replaced as soon as a change fails', async () => {
    const url = await createDatabase('read_only')
    const store = await openStore({ url, configDir: '', log: silent })
    onTestFinished(() => store.close())
    store.ready()
    const readOnly = (is: boolean) =>
      askPostgres(server!, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${is}`)
    // It opens the first connection that isn't used for the start.
    await readOnly(true)
    const write = () => store.db.insertInto('meta').values({ key: 'written', value: '' }).execute()
    await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
    await readOnly(false)
    await write()
  })

  test('[ROLE-10] a revocation whose commit is acknowledged too late takes effect at its own instance, too', async () => {
    const url = await createDatabase('late_commit')
    const service = await instance(url)
    const ann = await service.user('ann')
    const { closed } = await watching(ann)
    await slowCommits(url, 'delete on session')
    await expectUnavailable(service.internal.delete('/api/sessions?user=ann'))
    await expect.poll(() => askPostgres(url, 'select 1 from session'), eventually).toEqual([])
    await leadsTo(401, () => statusOf(ann))
    expect(await closed).toBe(4401)
  })

  test('[AUD-7] no output passes over an entry whose commit may still take effect', async () => {
    const url = await createDatabase('late_entry')
    const clock = createTestClock()
    const store = await openStore({ url, configDir: '', log: silent, clock })
    onTestFinished(() => store.close())
    store.ready()
    await store.transaction((within) => store.audit.start('one', within))
    await slowCommits(url, 'insert on meta')
    const late = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'late', value: '' }).execute()
      await store.audit.insert(testEntry, within)
    })
    await expect(late).rejects.toMatchObject({ code: 'unavailable' })
    await store.transaction((within) => store.audit.insert(testEntry, within))
    expect(store.audit.settled()).toBe(0)
    await expect.poll(() => askPostgres(url, 'select sequence from audit'), eventually).toHaveLength(2)
    await clock.advance(59_000)
    expect(store.audit.settled()).toBe(0)
    await clock.advance(1000)
    expect(store.audit.settled()).toBe(2)
  })

  test('without a free connection: no caller is let in, the log has the reason, and it recovers', async () => {
    const url = new URL(await createDatabase('slots'))
    const role = `gatehouse_slots_${process.pid}`
    await askPostgres(server!, `drop role if exists ${role}`)
    await askPostgres(server!, `create role ${role} login connection limit 12`)
    await askPostgres(server!, `alter database ${url.pathname.slice(1)} owner to ${role}`)
    url.username = role
    const service = await instance(url.href)
    const ann = await service.user('ann')
    const { closed } = await watching(ann)

    const taken: Client[] = []
    const release = () => Promise.allSettled(taken.splice(0).map((client) => client.end()))
    onTestFinished(async () => void (await release()))
    const own = `from pg_stat_activity where usename = '${role}' and application_name = 'gatehouse'`
    // A connection that ends counts for a moment longer.
    while (taken.length < 12) {
      await askPostgres(server!, `select pg_terminate_backend(pid) ${own}`)
      for (let isFull = false; !isFull;) {
        const client = new Client({ connectionString: url.href, application_name: 'another program' })
        client.on('error', () => undefined)
        isFull = await client.connect().then(
          () => false,
          () => true,
        )
        if (!isFull) taken.push(client)
      }
    }
    const expectEnded = endsInTime(closed)
    await expectUnavailable(ann.get('/api/profile'))
    await expectUnavailable(login(service))
    await expectUnavailable(service.internal.post('/api/users', { username: 'late', password, role: 'admin' }))
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(503)
    // What asks whether the process has to be restarted gets an answer.
    expect((await service.gate.get('/')).status).toBe(200)
    await expectEnded()
    expect(service.output()).toMatch(/too many connections for role/)

    await release()
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(200)
    await expect.poll(() => statusOf(ann), eventually).toBe(200)
    expect((await service.internal.get('/api/users')).text).not.toContain('late')
  })

  test('failed over to a standby that is read-only and lacks the last changes: it is asked again, and nothing is written', async () => {
    const url = await createDatabase('standby')
    const database = new URL(url).pathname.slice(1)
    const service = await instance(url)
    const [ann, bob] = [await service.user('ann', 'admin'), await service.user('bob')]
    expect(await statusOf(ann, '/api/users')).toBe(200)
    // It has written now: within a minute, the next check only reads, unless something failed.
    expect(await statusOf(service.gate, '/api/health')).toBe(200)
    const failOver = async (isReadOnly: boolean, ...changes: string[]) => {
      for (const change of changes) await askPostgres(url, change)
      await askPostgres(server!, `alter database ${database} set default_transaction_read_only = ${isReadOnly}`)
      await askPostgres(server!, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
    }
    const restored = () => service.output().split('LISTEN connection restored').length
    const before = restored()
    await failOver(
      true,
      `update "user" set role = 'guard' where key = 'ann'`,
      `delete from session where user_id = (select id from "user" where key = 'bob')`,
    )
    // No request has emptied the caches by then.
    await expect.poll(restored, eventually).toBeGreaterThan(before)
    expect(await statusOf(ann, '/api/users')).toBe(403)
    expect((await ann.get('/api/profile')).json).toMatchObject({ role: 'guard', allowed_cameras: ['door'] })
    expect(await statusOf(bob)).toBe(401)
    await expectUnavailable(login(service))
    await expectUnavailable(service.internal.put('/api/users/ann/role', { role: 'admin' }))
    await expectUnavailable(service.internal.put('/api/roles/guard', { cameras: ['yard'] }))
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(503)
    expect(service.output()).toMatch(/read-only transaction/)
    await failOver(false)
    await expect.poll(() => statusOf(service.gate, '/api/health'), eventually).toBe(200)
    expect((await login(service)).status).toBe(200)
    expect((await service.internal.get('/api/roles')).json).toContainEqual(
      expect.objectContaining({ name: 'guard', cameras: ['door'] }),
    )
  })

  test('[ROLE-10] notifications of other programs give no one access, end no stream, and delay no revocation', async () => {
    const url = await createDatabase('notify')
    const line = await lineTo(url)
    const [elsewhere, service] = [await instance(url), await instance(line.url)]
    const ann = service.gate.with((await elsewhere.user('ann')).headers)
    const gus = service.gate.with((await elsewhere.user('gus', 'guard')).headers)
    const { socket, closed } = await watching(ann)
    const before = line.queries()
    // Any user of the server can send on the channel, and read who sends.
    const other = new Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    const seen: string[] = []
    other.on('notification', ({ payload }) => void seen.push(payload ?? ''))
    await other.query('listen gatehouse')
    expect((await service.internal.put('/api/users/gus/role', { role: 'guard' })).status).toBe(200)
    await expect.poll(() => seen.length, eventually).toBeGreaterThan(0)
    const { from } = JSON.parse(seen[0]!) as { from: string }
    const messages = [
      { kind: 'user', key: 'ann', role: 'admin' },
      { kind: 'session', id: '__proto__' },
      { kind: 'config', auth: { enabled: false } },
      { kind: 'all' },
      { __proto__: { kind: 'user' } },
      null,
      [[]],
      'x'.repeat(7000),
    ]
    // Equal notifications of one transaction are sent once.
    const send = `select pg_notify('gatehouse', replace($1, 'N', n::text)) from generate_series(1, 40) as n`
    for (const message of messages) {
      for (const sender of [from, 'another'])
        await other.query(send, [JSON.stringify({ from: sender, message, n: 'N' })])
    }
    await other.query(`select pg_notify('gatehouse', 'x' || n) from generate_series(1, 500) as n`)
    // On a busy machine, a request can be refused until the notifications are read.
    await expect
      .poll(() => ann.get('/api/profile'), eventually)
      .toMatchObject({ status: 200, json: { role: 'viewer' } })
    expect(await statusOf(ann, '/api/users')).toBe(403)
    expect([await statusOf(gus, '/api/cameras/door'), await statusOf(gus, '/api/cameras/yard')]).toEqual([200, 403])
    expect(socket.readyState).toBe(socket.OPEN)
    // Of 1140 notifications.
    expect(line.queries() - before).toBeLessThan(100)
    const elapsed = stopwatch(ours)
    expect((await elsewhere.internal.delete('/api/sessions?user=ann')).status).toBe(204)
    await leadsTo(401, () => statusOf(ann))
    expect(await closed).toBe(4401)
    expect(elapsed()).toBeLessThan(1500)
  })
})
