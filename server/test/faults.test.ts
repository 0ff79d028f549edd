import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres, postgresPrograms, startPostgres, type PostgresServer } from './support/postgres-server.ts'
import { openDatabase } from './support/service-database.ts'
import type { ConfigOptions, Service } from './support/service.ts'
import { password, signIn, tokenIn, type SignedIn } from './support/sign-in.ts'
import { failedRestart, failedStart, startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const roles = { guard: ['door'], clerk: ['office'] }
const plain = { tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null } }

const start = (more: Partial<ConfigOptions> = {}) => startService({ config: plain, ...more })

const addUser = async ({ internal }: Service, username: string, role = 'viewer') => {
  const made = await internal.post('/api/users', { username, password, role })
  if (made.status !== 201) throw new Error(`${username} was not made: ${made.text}`)
}
const names = async ({ internal }: Service) =>
  ((await internal.get('/api/users')).json as { username: string }[]).map(({ username }) => username).sort()

const health = ({ gate }: Service) => statusOf(gate, '/api/health')

const open = async (socket: WebSocket) => {
  await once(socket, 'open')
  return socket
}
/** Milliseconds until a socket closes, and its close code. */
const closing = async (socket: WebSocket) => {
  const elapsed = stopwatch(' gatehouse_')
  const [code] = (await once(socket, 'close')) as [number]
  return { code, after: elapsed() }
}

/** The response to every request that needs the database. */
async function expectUnavailable(response: Promise<{ status: number; json: unknown; headers: object }>) {
  const elapsed = stopwatch()
  const { status, json, headers } = await response
  expect({ status, json }).toMatchObject({ status: 503, json: { status: 503, code: 'unavailable' } })
  expect(headers).toHaveProperty('retry-after')
  expect(elapsed()).toBeLessThan(4500)
}

afterAll(stopAll)

describe('the SQLite database', () => {
  test('locked by another program: nothing is written, no new caller is let in, and it recovers', async () => {
    const service = await start()
    const ann = await service.user('ann')
    const admin = await service.admin()
    await service.user('gus', 'guard')
    const gus = await service.user('gus')
    const other = openDatabase(service)
    other.exec('begin exclusive')

    await expect.poll(() => health(service)).toBe(503)
    expect((await service.gate.post('/api/login', { user: 'ann', password: 'wrong' })).status).toBe(401)
    await Promise.all([
      expectUnavailable(service.gate.post('/api/login', { user: 'ann', password })),
      expectUnavailable(admin.post('/api/users', { username: 'late', password, role: 'viewer' })),
      expectUnavailable(admin.put('/api/users/ann/role', { role: 'admin' })),
      expectUnavailable(admin.put('/api/users/ann/password', { password: 'another long one' })),
      expectUnavailable(admin.delete('/api/users/ann')),
      expectUnavailable(ann.delete('/api/sessions?others=true')),
    ])
    // A cached caller is still let in, an uncached one is not.
    expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'viewer' })
    expect((await ann.get('/api/users')).status).toBe(403)
    expect((await service.gate.get('/api/profile')).status).toBe(401)

    // A role is not deleted, neither from the file nor from its users.
    await expectUnavailable(admin.delete('/api/roles/guard'))
    expect((await gus.get('/api/cameras/door')).status).toBe(200)
    expect((await gus.get('/api/cameras/yard')).status).toBe(403)

    other.exec('rollback')
    other.close()
    await expect.poll(() => health(service)).toBe(200)
    expect(await names(service)).toEqual(['admin', 'ann', 'gus'])
    expect((await ann.get('/api/profile')).json).toMatchObject({ role: 'viewer' })
    expect(tokenIn(await service.gate.post('/api/login', { user: 'ann', password }))).not.toBe('')
    expect((await gus.get('/api/profile')).json).toMatchObject({ role: 'guard', allowed_cameras: ['door'] })
    // What was recorded in the meantime was kept, and is written now.
    await expect
      .poll(async () => (await service.internal.get('/api/audit?user=gus&result=denied')).text)
      .toContain('/api/cameras/yard')
    await expect
      .poll(async () => (await service.internal.get('/api/audit?user=ann&action=login&result=failure')).text, {
        timeout: 60_000,
      })
      .toContain('"ann"')
  })

  test('moved away: no file is created in its place and no caller is let in; once it is back, everything is as before', async () => {
    let service = await start()
    const ann = await service.user('ann')
    // A restart empties the cache of users.
    service = await service.restart()
    const file = join(service.configDir, 'gatehouse.db')
    const away = join(service.dir, 'away')
    mkdirSync(away)
    const parts = readdirSync(service.configDir).filter((name) => name.startsWith('gatehouse.db'))
    const move = (from: string, to: string) => {
      for (const name of parts) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
    }
    move(service.configDir, away)

    await expectUnavailable(ann.get('/api/profile'))
    await expectUnavailable(service.gate.post('/api/login', { user: 'ann', password }))
    await expectUnavailable(service.internal.post('/api/users', { username: 'eve', password, role: 'admin' }))
    await expectUnavailable(service.internal.get('/api/users'))
    expect(await health(service)).toBe(503)
    expect((await service.gate.get('/api/profile')).status).toBe(401)
    expect((await service.gate.get('/')).status).toBe(200)
    expect(existsSync(file)).toBe(false)

    // Another file in its place is refused: one that isn't a database, an empty one, one of another version.
    const others: (() => void)[] = [
      () => writeFileSync(file, ''),
      () => writeFileSync(file, Buffer.alloc(8192, 'x')),
      () => {
        copyFileSync(join(away, 'gatehouse.db'), file)
        const db = new DatabaseSync(file)
        db.exec("insert into migration (name, done_at) values ('9999-of-tomorrow', 0)")
        db.exec("insert or replace into meta (key, value) values ('migrated_by', '9.8.7')")
        db.close()
      },
    ]
    for (const put of others) {
      put()
      await expectUnavailable(ann.get('/api/profile'))
      await expectUnavailable(service.gate.post('/api/login', { user: 'ann', password }))
      for (const name of new Set([...parts, 'gatehouse.db'])) rmSync(join(service.configDir, name), { force: true })
    }

    move(away, service.configDir)
    await expect.poll(() => health(service)).toBe(200)
    expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'viewer' })
    expect(await names(service)).toEqual(['admin', 'ann'])
    await addUser(service, 'bob')
  })

  test('locked at startup: the service stops with a message, and has changed nothing', async () => {
    let service = await start()
    await addUser(service, 'ann')
    await service.stop()
    const other = openDatabase(service)
    other.exec('begin exclusive')
    const { status, output } = await failedRestart(service)
    expect(status).toBe(1)
    expect(output).toMatch(/gatehouse\.db.*locked/)
    other.exec('rollback')
    other.close()
    service = await service.restart()
    expect(await names(service)).toEqual(['admin', 'ann'])
  })

  test('corrupt at startup: the service stops, names the file, and leaves it unchanged', async () => {
    let service = await start()
    await addUser(service, 'ann')
    await service.stop()
    const file = join(service.configDir, 'gatehouse.db')
    const good = readFileSync(file)
    const broken = Buffer.from(good)
    broken.fill('?', 0, 4096)
    writeFileSync(file, broken)
    const { status, output } = await failedRestart(service)
    expect(status).toBe(1)
    expect(output).toContain(file)
    expect(output).not.toMatch(/password:/)
    expect(readFileSync(file).equals(broken)).toBe(true)
    writeFileSync(file, good)
    service = await service.restart()
    expect(await names(service)).toEqual(['admin', 'ann'])
  })

  test('[OPS-2] of a newer version: the service stops, and names the version that is needed', async () => {
    const service = await start()
    await service.stop()
    const db = openDatabase(service)
    db.exec("insert into migration (name, done_at) values ('9999-of-tomorrow', 0)")
    db.exec("insert or replace into meta (key, value) values ('migrated_by', '9.8.7')")
    db.close()
    const { status, output } = await failedRestart(service)
    expect(status).toBe(78)
    expect(output).toMatch(/version 9\.8\.7 of Gatehouse \(it has 9999-of-tomorrow\).*Install that version/)
  })
})

describe('the configuration directory', () => {
  test.each<[what: string, put: (file: string) => void]>([
    ['is a dangling link', (file) => symlinkSync('/nowhere/at/all', file)],
    ['is a folder', (file) => mkdirSync(file)],
  ])('[SEC-4] a .jwt_secret that %s stops the service at startup', async (_why, put) => {
    const service = await start()
    await service.stop()
    const file = join(service.configDir, '.jwt_secret')
    rmSync(file)
    put(file)
    const { status, output } = await failedRestart(service)
    expect(status).toBe(78)
    expect(output).toContain(file)
  })
})

describe('slow clients', () => {
  test.each<[what: string, secure: boolean, say: ((socket: Socket, page: string) => void) | undefined]>([
    ['that send nothing', false, undefined],
    ['that start no TLS handshake', true, undefined],
    [
      'that trickle headers',
      false,
      (socket) => {
        socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n')
        const timer = setInterval(() => socket.write('X-A: b\r\n'), 1000)
        socket.once('close', () => clearInterval(timer))
      },
    ],
    [
      'that trickle a body',
      false,
      (socket) => {
        socket.write(
          'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
        )
        const timer = setInterval(() => socket.write(' '), 1000)
        socket.once('close', () => clearInterval(timer))
      },
    ],
    [
      'that read no response',
      false,
      (socket, page) => void socket.pause().write(`GET ${page} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(8)),
    ],
  ])('500 %s block no other client, and do not delay the shutdown', async (_why, secure, send) => {
    const service = await startService({ config: { ...plain, tls: { enabled: secure } } })
    const ann = await service.user('ann')
    // The longest response that any caller can get.
    const page = /src="\.?(\/assets\/[^"]+)"/.exec((await service.gate.get('/')).text)?.[1] ?? '/'
    const sockets = Array.from({ length: 500 }, () =>
      connectTcp(service.gatePort, '127.0.0.1').on('error', () => undefined),
    )
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) send?.(socket, page)
    const time = async () => {
      const elapsed = stopwatch()
      expect((await ann.get('/api/profile')).status).toBe(200)
      return elapsed()
    }
    // The service sends until they stall; from then on, they cost nothing.
    await expect.poll(time, { interval: 200 }).toBeLessThan(500)
    for (let i = 0; i < 10; i += 1) expect(await time()).toBeLessThan(2000)
    expect((await service.gate.post('/api/login', { user: 'ann', password })).status).toBe(200)
    await open(ann.socket('/api/cameras/yard/live'))
    const elapsed = stopwatch()
    expect(await service.stop()).toBe(0)
    expect(elapsed()).toBeLessThan(5000)
  })

  test('an unfinished TLS handshake is closed, and so is a client that sends no request', async () => {
    const service = await startService({ config: { auth: plain.auth } })
    const elapsed = stopwatch()
    const silent = connectTcp(service.gatePort, '127.0.0.1').on('error', () => undefined)
    const shaken = connectTls({ port: service.gatePort, host: '127.0.0.1', rejectUnauthorized: false })
    shaken.on('error', () => undefined).resume()
    silent.resume()
    await Promise.all([once(silent, 'close'), once(shaken, 'close')])
    expect(elapsed()).toBeLessThan(40_000)
  })

  test('a shutdown is not delayed by a client with a half-sent request', async () => {
    const service = await startService({ config: { auth: plain.auth } })
    const socket = connectTls({ port: service.gatePort, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', () => undefined).resume()
    await once(socket, 'secureConnect')
    const head = ['POST /api/login HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 99']
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await wait(300, 'until the head was read: nothing reports half a request')
    const elapsed = stopwatch()
    expect(await service.stop()).toBe(0)
    expect(elapsed()).toBeLessThan(5000)
    socket.destroy()
  })
})

if (!postgresPrograms && process.env['CI']) throw new Error('PostgreSQL is missing: apt-get install postgresql')
if (!postgresPrograms)
  console.warn('\n!!! PostgreSQL is missing (apt-get install postgresql): its tests are SKIPPED !!!\n')

/** A TCP relay to a port of this machine. */
interface Line {
  readonly port: number
  /** Drops all data silently, and closes nothing. */
  silence(silent: boolean): void
  /** Closes existing and new connections. */
  cut(isCut: boolean): void
}

async function lineTo(port: number): Promise<Line> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let silent = false
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connectTcp(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('data', (chunk: Buffer) => void (silent || to.write(chunk)))
      from.on('error', () => undefined)
      from.once('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    for (const [near] of pairs) near.destroy()
  }
  onTestFinished(() => {
    server.close()
    hangUp()
  })
  return {
    port: (server.address() as AddressInfo).port,
    silence(next) {
      silent = next
      // The data of the gap is lost, so these connections are useless.
      if (!silent) hangUp()
    },
    cut(next) {
      isCut = next
      hangUp()
    },
  }
}

/** At the other instance, too, a change applies within a second. */
const applies = (what: () => Promise<unknown>, condition: unknown) =>
  within(1000, async () => expect(await what()).toEqual(condition), ' gatehouse_')

const instance = (url: string, more: Partial<ConfigOptions> = {}) =>
  startService({ config: { ...plain, database: { url } }, env: { SERVICE_JWT_SECRET }, ...more })

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(postgresPrograms!)
  })
  afterAll(() => server.remove())

  let made = 0
  const database = async (): Promise<string> => {
    made += 1
    await askPostgres(server.url, `create database gatehouse_${made}`)
    return server.url.replace(/postgres$/, `gatehouse_${made}`)
  }

  test('[BOOT-1] of instances that start at the same time, one creates the tables, and one the admin', async () => {
    const url = await database()
    const instances = await Promise.all([instance(url), instance(url), instance(url)])
    const migrations = await askPostgres(url, 'select name from migration')
    expect(migrations.length).toBeGreaterThan(0)
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length)
    const printing = instances.filter((service) => /password:/.test(service.output()))
    expect(printing).toHaveLength(1)
    const admin = await printing[0]!.admin()
    for (const service of instances) {
      expect(await names(service)).toEqual(['admin'])
      expect((await service.gate.get('/api/profile', admin.headers)).json).toMatchObject({ role: 'admin' })
    }
  })

  describe('with two instances', () => {
    let one: InProcessService
    let other: InProcessService
    beforeAll(async () => {
      const url = await database()
      one = await instance(url)
      other = await instance(url)
      for (const [name, role] of [
        ['ann', 'viewer'],
        ['gus', 'guard'],
        ['bea', 'viewer'],
        ['del', 'viewer'],
        ['ida', 'viewer'],
      ] as const) {
        await addUser(one, name, role)
      }
    })

    /** Signed in at the first instance, cached and streaming at the second. */
    const watching = async (
      name: string,
      camera: string,
    ): Promise<{ at: TestClient; here: SignedIn; socket: WebSocket }> => {
      const here = await signIn(one.gate, name)
      const at = other.gate.with(here.headers)
      expect((await at.get('/api/profile')).status).toBe(200)
      return { at, here, socket: await open(at.socket(`/api/cameras/${camera}/live`)) }
    }

    test('[TOK-7] a password changed at one instance ends the sessions at the other', async () => {
      const { at, socket } = await watching('ann', 'yard')
      const closed = closing(socket)
      expect((await one.internal.put('/api/users/ann/password', { password: 'another long one' })).status).toBe(200)
      await applies(() => statusOf(at), 401)
      expect(await closed).toMatchObject({ code: 4401 })
      expect((await closed).after).toBeLessThan(1500)
      await signIn(other.gate, 'ann', 'another long one')
    })

    test('[ROLE-10] [TOK-9] a role assigned at one instance applies at the other', async () => {
      const { at, socket } = await watching('gus', 'door')
      const closed = closing(socket)
      expect((await one.internal.put('/api/users/gus/role', { role: 'clerk' })).status).toBe(200)
      await applies(() => statusOf(at, '/api/cameras/door'), 403)
      expect((await at.get('/api/cameras/office')).status).toBe(200)
      expect(await closed).toMatchObject({ code: 4403 })
      expect((await closed).after).toBeLessThan(1500)
    })

    test('[TOK-6] a logout at one instance ends the session at the other', async () => {
      const { at, here, socket } = await watching('bea', 'yard')
      const closed = closing(socket)
      expect((await here.post('/api/logout')).status).toBe(204)
      await applies(() => statusOf(at), 401)
      expect(await closed).toMatchObject({ code: 4401 })
      expect((await closed).after).toBeLessThan(1500)
    })

    test('[TOK-9] a user deleted at one instance is deleted at the other, even if the name is reused', async () => {
      const { at, socket } = await watching('del', 'yard')
      const closed = closing(socket)
      expect((await one.internal.delete('/api/users/del')).status).toBe(204)
      await applies(() => statusOf(at), 401)
      expect(await closed).toMatchObject({ code: 4401 })
      await addUser(one, 'del', 'admin')
      expect((await at.get('/api/profile')).status).toBe(401)
    })

    test('[TOK-6] a session revoked by an admin at one instance ends at the other', async () => {
      const { at, socket } = await watching('ida', 'yard')
      const closed = closing(socket)
      const [session] = (await one.internal.get('/api/sessions?user=ida')).json as { id: string }[]
      expect((await one.internal.delete(`/api/sessions/${session?.id}`)).status).toBe(204)
      await applies(() => statusOf(at), 401)
      expect(await closed).toMatchObject({ code: 4401 })
    })

    test('[USER-6] the last admin stays, even if both instances get a request at the same time', async () => {
      await one.internal.post('/api/users', { username: 'second', password, role: 'admin' })
      const rest = (await names(one)).filter((name) => !['admin', 'second'].includes(name))
      for (const name of rest) await one.internal.put(`/api/users/${name}/role`, { role: 'viewer' })
      const responses = await Promise.all([
        one.internal.put('/api/users/admin/role', { role: 'viewer' }),
        other.internal.put('/api/users/second/role', { role: 'viewer' }),
      ])
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    })
  })

  test('stopped: no caller is let in and open streams end; started again, everything is as before', async () => {
    const url = await database()
    const service = await instance(url)
    const ann = await service.user('ann')
    await addUser(service, 'bob')
    const closed = closing(await open(ann.socket('/api/cameras/yard/live')))
    server.stop()
    await service.printed(/LISTEN connection lost/)
    try {
      await expectUnavailable(ann.get('/api/profile'))
      await expectUnavailable(service.gate.post('/api/login', { user: 'bob', password }))
      await expectUnavailable(service.internal.post('/api/users', { username: 'late', password, role: 'viewer' }))
      expect(await health(service)).toBe(503)
      expect((await service.gate.get('/api/profile')).status).toBe(401)
      expect((await closed).code).toBe(1013)
    } finally {
      server.start()
    }
    await expect.poll(() => health(service)).toBe(200)
    expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'viewer' })
    expect(await names(service)).toEqual(['admin', 'ann', 'bob'])
    // LISTEN works again, and the caches are used again.
    await service.printed(/LISTEN connection restored/)
    const second = await instance(url)
    expect((await second.internal.put('/api/users/ann/password', { password: 'another long one' })).status).toBe(200)
    await applies(() => statusOf(ann), 401)
    expect(await service.stop()).toBe(0)
  })

  test('unresponsive: no caller is let in either, and no request waits forever', async () => {
    const url = new URL(await database())
    const line = await lineTo(Number(url.port))
    url.port = String(line.port)
    const service = await instance(url.href)
    const ann = await service.user('ann')
    const closed = closing(await open(ann.socket('/api/cameras/yard/live')))
    line.silence(true)
    await service.printed(/LISTEN connection lost/)
    for (let i = 0; i < 2; i += 1) {
      await Promise.all([
        expectUnavailable(ann.get('/api/profile')),
        expectUnavailable(service.gate.post('/api/login', { user: 'ann', password })),
        expectUnavailable(service.internal.post('/api/users', { username: 'late', password, role: 'viewer' })),
        expectUnavailable(service.gate.get('/api/health')),
      ])
    }
    expect((await service.gate.get('/api/profile')).status).toBe(401)
    expect((await closed).code).toBe(1013)
    line.silence(false)
    await expect.poll(() => health(service)).toBe(200)
    expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann' })
    expect(await names(service)).toEqual(['admin', 'ann'])
    // A shutdown waits for what was sent and for a last write, 2.25 s each, and 1.5 s for the connections to close;
    // container runtimes give ten seconds.
    line.silence(true)
    const elapsed = stopwatch()
    expect(await service.stop()).toBe(0)
    expect(elapsed()).toBeLessThan(8000)
  })

  test('[TOK-7] [ROLE-10] changes missed while LISTEN was down apply once it is back', async () => {
    const url = new URL(await database())
    const other = await instance(url.href)
    const line = await lineTo(Number(url.port))
    url.port = String(line.port)
    const service = await instance(url.href)
    for (const name of ['ann', 'gus']) await addUser(other, name)
    const [ann, gus] = [await signIn(service.gate, 'ann'), await signIn(service.gate, 'gus')]
    for (const each of [ann, gus]) expect((await each.get('/api/profile')).status).toBe(200)
    line.cut(true)
    await service.printed(/LISTEN connection lost/)
    expect((await other.internal.put('/api/users/ann/password', { password: 'another long one' })).status).toBe(200)
    expect((await other.internal.put('/api/users/gus/role', { role: 'clerk' })).status).toBe(200)
    line.cut(false)
    await service.printed(/LISTEN connection restored/)
    expect((await ann.get('/api/profile')).status).toBe(401)
    expect((await gus.get('/api/profile')).json).toMatchObject({ role: 'clerk' })
  })

  test('missing at startup: the service stops with a message that never contains the password', async () => {
    const config = { ...plain, database: { url: `postgres://someone:pa55word@127.0.0.1:${await freePort()}/none` } }
    const absent = {
      ...plain,
      database: {
        url: server.url
          .replace('//', '//x:pa55word@')
          .replace('x:pa55word@gatehouse', 'gatehouse:pa55word')
          .replace(/postgres$/, 'no_such'),
      },
    }
    // A server that may come back is another case than a setting that is wrong.
    for (const [each, status] of [
      [config, 1],
      [absent, 78],
    ] as const) {
      const failure = await failedStart({ config: each, env: { SERVICE_JWT_SECRET } })
      expect(failure.status).toBe(status)
      expect(failure.output).toMatch(/PostgreSQL/)
      expect(failure.output).not.toContain('pa55word')
    }
  })
})
