import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { parse, stringify } from 'yaml'
import { stopAll } from './support/cleanups.ts'
import { lineTo } from './support/database-line.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { listInstances } from './support/list-instances.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import type { ConfigOptions } from './support/service.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const postgres = postgresUrl()
/** At the other instance, too, a change applies within a second. */
const applies = (what: () => Promise<unknown>, condition: unknown) =>
  within(1000, async () => expect(await what()).toEqual(condition), 'gatehouse_instances_')

const eventually = { timeout: 120_000, interval: 100 }

const instance = (url: string, roles: Record<string, string[]>, more: Partial<ConfigOptions> = {}) =>
  startService({
    config: {
      tls: { enabled: false },
      auth: { roles, failed_login_rate_limit: null },
      database: { url },
    },
    env: { SERVICE_JWT_SECRET },
    ...more,
  })

/** Creates a separate database. @returns its URL */
const database = async (): Promise<string> => {
  const name = `gatehouse_instances_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

describe.skipIf(postgres === undefined)('instances on one PostgreSQL database', () => {
  afterAll(stopAll)

  test('[ROLE-1] an admin sees the running instances', async () => {
    const url = await database()
    const [one, other] = [await instance(url, {}), await instance(url, {})]
    const states = async () =>
      (await listInstances(one)).map(({ current, state }) => `${current ? 'this' : 'other'} ${state}`).toSorted()
    await expect.poll(states, eventually).toEqual(['other running', 'this running'])
    await other.stop()
    await expect.poll(states, eventually).toEqual(['other away', 'this running'])
    const viewer = await one.user('vera')
    expect(await statusOf(viewer, '/api/instances')).toBe(403)
    expect(await statusOf(one.gate, '/api/instances')).toBe(401)
  })

  test('[ROLE-10] an unreadable notification does not block later ones', async () => {
    const url = await database()
    const [one, other] = [await instance(url, {}), await instance(url, {})]
    await one.user('ann')
    const here = await signIn(one.gate, 'ann')
    const there = other.gate.with(here.headers)
    expect(await statusOf(there)).toBe(200)
    const [session] = (await here.get('/api/sessions')).json as { id: string; current: boolean }[]
    for (const payload of [
      'x',
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"from":1}',
      '{"from":"a","message":{"kind":"user"}}',
    ]) {
      await askPostgres(url, `select pg_notify('gatehouse', '${payload}')`)
    }
    const ids = ((await here.get('/api/sessions')).json as { id: string; current: boolean }[]).filter(
      ({ current }) => current,
    )
    expect(session).toBeDefined()
    expect((await one.internal.delete(`/api/sessions/${ids[0]?.id}`)).status).toBe(204)
    await applies(() => statusOf(there), 401)
    expect(other.output()).not.toMatch(/LISTEN connection lost/)
  })

  test('[TOK-3] [CONF-5] a shorter session length ends the streams of an idle session, and at no instance those of one in use', async () => {
    const url = await database()
    const services = [await instance(url, {}), await instance(url, {})] as const
    const [one, other] = services
    const opened = async (name: string) => {
      await one.user(name)
      const client = await signIn(one.gate, name)
      const streams = services.map(({ gate }) => gate.with(client.headers).socket('/api/events'))
      await Promise.all(streams.map((socket) => once(socket, 'open')))
      onTestFinished(() => streams.forEach((socket) => socket.terminate()))
      const codes: number[] = []
      for (const socket of streams) socket.once('close', (code) => codes.push(code))
      return { client, codes }
    }
    const [ann, bob] = [await opened('ann'), await opened('bob')]
    const text = (await one.internal.get('/api/config/raw')).text
    const document = parse(text) as { auth?: object }
    const body = stringify({ ...document, auth: { ...document.auth, session_length: 600 } })
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    expect((await one.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
    const lengthThere = async () =>
      ((await other.internal.get('/api/config')).json as { auth: { session_length: number } }).auth.session_length
    await expect.poll(lengthThere, eventually).toBe(600)
    const pass = (seconds: number) => Promise.all(services.map(({ clock }) => clock.advance(seconds * 1000)))
    let { client }: { client: TestClient } = ann
    const renew = async () => {
      const { status, cookies } = await client.get('/api/auth')
      expect(status).toBe(202)
      client = client.with({ cookie: cookies[0]?.split(';')[0] ?? '' })
    }
    for (let round = 0; round < 3; round += 1) {
      await pass(330)
      expect([ann.codes, round === 0 ? bob.codes : []]).toEqual([[], []])
      await renew()
    }
    await expect.poll(() => bob.codes, eventually).toEqual([4401, 4401])
    await pass(590)
    expect(ann.codes).toEqual([])
    await pass(20)
    await expect.poll(() => ann.codes, eventually).toEqual([4401, 4401])
  })

  test('[ROLE-10] without LISTEN no stream ends, the number of database queries is bounded, and a revocation applies within a second', async () => {
    const url = await database()
    const line = await lineTo(url)
    const service = await instance(line.url, {})
    const elsewhere = await instance(url, {})
    const streams = 60 * availableParallelism()
    const clients = await Promise.all(['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => service.user(name)))
    const open: WebSocket[] = []
    for (let nth = 0; nth < streams; nth += 1) {
      const socket = clients[nth % clients.length]!.socket('/api/cameras/yard/live')
      socket.on('error', () => undefined)
      await once(socket, 'open')
      open.push(socket)
    }
    onTestFinished(() => open.forEach((socket) => socket.terminate()))
    const closed = new Map<WebSocket, number>()
    for (const socket of open) socket.once('close', (code) => closed.set(socket, code))

    line.refuseListening(true)
    await service.printed(/LISTEN connection lost/)
    // One second of warm-up, then five that count.
    await wait(1000, 'warm-up, before requests are counted')
    const before = line.queries()
    const rounds = 5
    await wait(rounds * 1000, 'the time over which requests are counted')
    const requested = line.queries() - before
    expect([...closed.values()]).toEqual([])
    // Two row lists per check, however many streams there are; one of each per stream would be 2 * streams.
    expect(requested / rounds).toBeLessThan(30)
    expect(requested).toBeGreaterThan(0)

    // A change at the other instance whose notification is lost: found by polling.
    const elapsed = stopwatch('gatehouse_instances_')
    expect((await elsewhere.internal.delete('/api/users/cat')).status).toBe(204)
    const hers = open.filter((_socket, nth) => nth % clients.length === 2)
    await expect.poll(() => hers.every((socket) => closed.get(socket) === 4401), { interval: 10 }).toBe(true)
    expect(elapsed()).toBeLessThan(1000)
    expect(await statusOf(clients[2]!)).toBe(401)
    expect(closed.size).toBe(hers.length)

    line.refuseListening(false)
    await service.printed(/LISTEN connection restored/)
    await wait(500, 'a stream that the change ends would have ended by then')
    expect(closed.size).toBe(hers.length)
    expect(password).not.toBe('')
  })
})
