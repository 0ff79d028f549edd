import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { authenticated, named, noOne, portOf, routeTo, testPort, withToken } from '../../test/support/test-port.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { credentialOf, internalAdmin, principalOf, type Identity } from '../access/identity.ts'
import { narrowScope, scopeOf } from '../access/grant.ts'
import { fakeRole, fakeRoles } from '../../test/support/fake-roles.ts'
import type { CameraAction } from '../access/action.ts'
import { rolesFrom, type CustomRole, type Roles } from '../access/role.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import type { RequestSpec, RouteSchema } from '../http/route.ts'
import { pieceSize } from '../shared/http/chunks.ts'
import { systemClock } from '../shared/time/clock.ts'
import { createStreamRegistry, type OpenStream } from './stream-registry.ts'

/** A body that ends when the test says so. */
const endless = () => {
  const body = new Readable({ read: () => undefined })
  body.push('first')
  return body
}

const rolesWith = (changed: Partial<CustomRole>) =>
  rolesFrom(new Map([['guard', fakeRole(['yard'], changed)]]), {
    now: () => 0,
    wallClock: () => ({ weekday: 'thu', minute: 0 }),
  })

/** The stream that a request of a guard opens, with a role that can change. */
async function streamOf(limits: Partial<CustomRole>, more: Partial<RequestSpec<RouteSchema>> = {}) {
  let roles = rolesWith(limits)
  const current: Roles = { ...roles, grantOf: (role, at) => roles.grantOf(role, at) }
  const found: OpenStream[] = []
  const openStreams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  const { send } = await testPort({
    authentication: authenticated(gil),
    routes: [routeTo(() => respond({ body: Readable.from(['a']) }), more)],
    roles: current,
    openStreams: {
      ...openStreams,
      register: (stream) => {
        found.push(stream)
        return () => undefined
      },
    },
  })
  await send()
  const [stream] = found
  if (!stream) throw new Error('no stream is open')
  return { stream, change: (changed: Partial<CustomRole>) => void (roles = rolesWith(changed)) }
}
const gil = named('gil', 'guard')
const oidcBob = { ...internalAdmin, authMethod: 'oidc', name: 'bob', role: 'viewer' } as const

const connected = async (app: FastifyInstance, path = '/api/x') => {
  const client = get({ host: '127.0.0.1', port: await portOf(app), path })
  client.on('error', () => undefined)
  return { client }
}

/** A response over a real connection, once its first part has arrived. */
async function opened(app: FastifyInstance, path?: string) {
  const { client } = await connected(app, path)
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  const closed = new Promise<void>((resolve) => void response.once('close', resolve))
  response.on('error', () => undefined).on('data', (part: Buffer) => void parts.push(part))
  await expect.poll(() => parts.length).toBeGreaterThan(0)
  return {
    closed,
    received: () => Buffer.concat(parts).toString(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    end: () => void client.destroy(),
  }
}

/** A port with a route that declares its streams, whose handler waits until the test gives it the body, and another. */
async function waitingPort(maxPerUser: number, streamsPerUser: number) {
  const handling: { readonly caller: Caller; readonly give: (body: unknown) => void }[] = []
  const handle = async (_input: unknown, caller: Caller) => {
    const { promise, resolve: give } = Promise.withResolvers<unknown>()
    handling.push({ caller, give })
    return respond({ body: await promise })
  }
  const declared = { stream: { maxPerUser: () => maxPerUser }, reads: 'config.read' } as const
  const other = routeTo(() => respond({ body: endless() }), { path: '/api/y' })
  const port = await testPort({
    routes: [routeTo(handle, declared), other],
    streamsPerUser: () => streamsPerUser,
  })
  return { ...port, handling }
}

describe('an open stream', () => {
  test('[GRANT-4] has a grant that ends with its role', async () => {
    const { stream } = await streamOf({ validUntil: 1000 })
    expect([999, 1000].map((now) => stream.isCurrent(now))).toEqual([true, false])
  })

  test.each<[had: CameraAction[], has: CameraAction[], decision: string]>([
    [['live', 'audio'], ['live', 'audio'], 'allow'],
    [['live', 'audio'], ['live'], 'recheck'],
    [['live'], ['live'], 'allow'],
    [['live'], ['live', 'audio'], 'allow'],
    [['live'], ['audio'], 'forbidden'],
  ])('[GRANT-2] of a caller who could do %j, and now %j: %s', async (had, has, decision) => {
    const access = { camera: 'live', of: async () => 'yard', parts: ['audio'] } as const
    const { stream, change } = await streamOf({ allow: had }, { access, reads: 'snapshot' })
    change({ allow: has })
    expect(stream.reauthorize(gil)).toBe(decision)
  })

  test.each<[camera: CameraAction, had: number | undefined, has: number | undefined, decision: string]>([
    ['download', 2000, 2000, 'allow'],
    ['download', 2000, 1999, 'recheck'],
    ['download', undefined, 2000, 'recheck'],
    ['history', 2000, 1999, 'recheck'],
    ['history', 2000, 2001, 'allow'],
    ['history', 2000, undefined, 'allow'],
    ['live', 2000, 1999, 'allow'],
  ])('[GRANT-3] of `%s`, of a caller who saw %j ms of the past, and now %j: %s', async (camera, had, has, decision) => {
    const access = { camera, of: async () => 'yard' } as const
    const { stream, change } = await streamOf({ allow: [camera], history: had }, { access, reads: 'playback' })
    change({ allow: [camera], history: has })
    expect(stream.reauthorize(gil)).toBe(decision)
  })

  test('[GRANT-2] of a list goes on without the part that its caller has lost', async () => {
    const access = { cameras: 'live', parts: ['audio'] } as const
    const { stream, change } = await streamOf({ allow: ['live', 'audio'] }, { access, reads: 'snapshot' })
    change({ allow: ['live'] })
    expect(stream.reauthorize(gil)).toBe('allow')
  })

  test('is decided again; any other response is not', async () => {
    let decisions = 0
    const identity = named('ann', 'viewer')
    const authentication: Authentication = {
      identity,
      reauthenticate: () => {
        decisions += 1
        return authentication
      },
    }
    const { send } = await testPort({ authentication, routes: [routeTo(() => respond({ body: { ok: true } }))] })
    expect([(await send()).status, decisions]).toEqual([200, 0])
    for (const [body, expected] of [
      [Buffer.alloc(pieceSize), 0],
      [Buffer.alloc(pieceSize + 1), 1],
      [Readable.from(['a']), 1],
    ] as const) {
      decisions = 0
      const streamed = await testPort({ authentication, routes: [routeTo(() => respond({ body }))] })
      expect([(await streamed.send()).status, decisions]).toEqual([200, expected])
    }
  })

  test('[NODE-3] a small body that took long, as one from another instance can, is decided again before it is sent', async () => {
    const clock = createTestClock()
    let decisions = 0
    const allowed: Authentication = {
      identity: named('ann', 'viewer'),
      reauthenticate: () => {
        decisions += 1
        return noOne
      },
    }
    const after = (milliseconds: number) => async () => {
      await clock.advance(milliseconds)
      return respond({ body: Buffer.from('recorded') })
    }
    const { send } = await testPort({ authentication: allowed, clock, routes: [routeTo(after(100))] })
    expect([(await send()).body, decisions]).toEqual(['recorded', 0])
    const late = await testPort({ authentication: allowed, clock, routes: [routeTo(after(300))] })
    const sent = await fetch(`http://127.0.0.1:${await portOf(late.app)}/api/x`)
      .then((response) => response.text())
      .catch(() => '')
    expect([sent, decisions]).toEqual(['', 1])
  })

  test('is counted for its user while it is sent, and its end frees it', async () => {
    const bodies = [endless(), endless()]
    const waiting = [...bodies]
    const { send, openStreams } = await testPort({
      routes: [routeTo(() => respond({ body: waiting.shift() }))],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf('password ann')).toBe(1)
    expect(await send()).toMatchObject({ status: 429, code: 'too-many-attempts' })
    bodies[0]!.push(null)
    expect(await sent).toMatchObject({ status: 200, body: 'first' })
    expect([openStreams.count, openStreams.countOf('password ann')]).toEqual([0, 0])
  })

  test('beyond the limit is refused, and its source is closed; a small response is not counted', async () => {
    const bodies: Readable[] = []
    let next: () => unknown = () => {
      const body = endless()
      bodies.push(body)
      return body
    }
    const { send } = await testPort({ routes: [routeTo(() => respond({ body: next() }))], streamsPerUser: () => 0 })
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect(JSON.parse(refused.body)).toMatchObject({ reason: { code: 'too-many-streams', values: { max: 0 } } })
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true])
    next = () => Buffer.alloc(pieceSize + 1)
    expect((await send()).status).toBe(429)
    next = () => Buffer.alloc(pieceSize)
    expect((await send()).status).toBe(200)
    next = () => ({ ok: true })
    expect((await send()).status).toBe(200)
  })

  describe('of a route that declares it', () => {
    test('counts from the request on, up to the limit of the route or of all', async () => {
      for (const [ofRoute, ofAll, code] of [
        [1, 9, 'too-many-streams-of-kind'],
        [9, 1, 'too-many-streams'],
      ] as const) {
        const { send, handling, openStreams } = await waitingPort(ofRoute, ofAll)
        const waiting = send()
        await expect.poll(() => openStreams.countOf('password ann')).toBe(1)
        const refused = await send()
        expect(refused).toMatchObject({ status: 429, code: 'too-many-attempts', headers: { 'retry-after': '10' } })
        expect(JSON.parse(refused.body)).toMatchObject({ reason: { code, values: { max: 1 } } })
        expect(handling).toHaveLength(1)
        handling[0]?.give(Readable.from(['a']))
        expect(await waiting).toMatchObject({ status: 200, body: 'a' })
        expect([openStreams.count, openStreams.countOf('password ann')]).toEqual([0, 0])
      }
    })

    test('counts once, also while its body is sent', async () => {
      const { app, handling, openStreams } = await waitingPort(9, 9)
      const opening = opened(app)
      await expect.poll(() => handling.length).toBe(1)
      handling[0]?.give(endless())
      const { end } = await opening
      expect([openStreams.count, openStreams.countOf('password ann')]).toEqual([1, 1])
      end()
      await expect.poll(() => openStreams.count).toBe(0)
    })

    test('does not count streams of other routes for its own limit', async () => {
      const { app, send, handling, openStreams } = await waitingPort(1, 9)
      const { end } = await opened(app, '/api/y')
      const waiting = send()
      await expect.poll(() => openStreams.countOf('password ann')).toBe(2)
      handling[0]?.give(Readable.from(['a']))
      expect((await waiting).status).toBe(200)
      end()
    })

    test('is freed by a failure, and immediately when a client that waits disconnects', async () => {
      const { app, send, handling, openStreams } = await waitingPort(1, 9)
      const failing = send()
      await expect.poll(() => handling.length).toBe(1)
      handling[0]?.give(Promise.reject(new Error('no frame')))
      expect([(await failing).status, openStreams.count]).toEqual([500, 0])
      await portOf(app)
      const { client } = await connected(app)
      await expect.poll(() => [handling.length, openStreams.count]).toEqual([2, 1])
      client.destroy()
      await expect.poll(() => openStreams.count).toBe(0)
      expect(handling[1]?.caller.signal.aborted).toBe(true)
      const body = endless()
      handling[1]?.give(body)
      await expect.poll(() => body.destroyed).toBe(true)
    })

    test('[ROLE-10] is aborted while it waits when it is no longer allowed', async () => {
      const { app, handling, openStreams } = await waitingPort(1, 9)
      await portOf(app)
      const { client } = await connected(app)
      const closed = new Promise<void>((resolve) => void client.once('close', resolve))
      await expect.poll(() => handling.length).toBe(1)
      openStreams.stop()
      await closed
      await expect.poll(() => [handling[0]?.caller.signal.aborted, openStreams.count]).toEqual([true, 0])
    })

    test.each([
      [1, 9],
      [9, 1],
    ])('counts for HEAD while its handler runs, up to %i of the route and %i of all', async (ofRoute, ofAll) => {
      const { send, handling, openStreams } = await waitingPort(ofRoute, ofAll)
      const waiting = send({ method: 'HEAD' })
      await expect.poll(() => [handling.length, openStreams.count]).toEqual([1, 1])
      expect((await send({ method: 'HEAD' })).status).toBe(429)
      expect(handling).toHaveLength(1)
      const body = endless()
      handling[0]?.give(body)
      expect(await waiting).toMatchObject({ status: 200, body: '' })
      expect(body.destroyed).toBe(true)
      await expect.poll(() => openStreams.count).toBe(0)
    })
  })

  test('without a limit is not counted', async () => {
    const body = endless()
    const { send, openStreams } = await testPort({ routes: [routeTo(() => respond({ body }))] })
    const sent = send()
    await expect.poll(() => openStreams.count).toBe(1)
    expect(openStreams.countOf('password ann')).toBe(0)
    body.push(null)
    await sent
  })

  test('HEAD opens none, and closes its source', async () => {
    const bodies: Readable[] = []
    const handle = () => {
      const body = endless()
      bodies.push(body)
      return respond({ body, headers: { 'x-own': '1' } })
    }
    const { send, openStreams } = await testPort({ routes: [routeTo(handle)], streamsPerUser: () => 0 })
    expect(await send({ method: 'HEAD' })).toMatchObject({ status: 200, body: '', headers: { 'x-own': '1' } })
    expect([bodies.map(({ destroyed }) => destroyed), openStreams.count]).toEqual([[true], 0])
  })

  test.each([pieceSize, pieceSize + 1, 3 * pieceSize])('%i bytes are sent whole, with their length', async (length) => {
    const { send } = await testPort({ routes: [routeTo(() => respond({ body: Buffer.alloc(length, 'x') }))] })
    const { headers, body } = await send()
    expect([headers['content-length'], body.length]).toEqual([String(length), length])
    expect((await send({ method: 'HEAD' })).headers).toMatchObject({
      'content-length': String(length),
      'content-type': 'application/octet-stream',
    })
  })

  test.each([
    ['password bob', named('bob', 'viewer')],
    ['proxy bob', named('bob', 'viewer', 'proxy')],
    ['proxy anonymous 192.0.2.7', named('anonymous', 'viewer', 'proxy')],
    ['internal anonymous 192.0.2.7', internalAdmin],
    ['id u1', { ...oidcBob, userId: 'u1' }],
    ['id u2', { ...oidcBob, userId: 'u2' }],
    ['token t1', withToken(named('bob', 'viewer'))],
  ])('belongs to %s, also if another user has the name', async (owner, identity) => {
    const access = { camera: 'live', of: async () => 'yard' } as const
    const body = endless()
    const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
    const { send, openStreams } = await testPort({
      authentication: authenticated(identity),
      clientOf: () => client,
      routes: [routeTo(() => respond({ body }), { access, reads: 'snapshot' })],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf(owner)).toBe(1)
    body.push(null)
    await sent
  })

  describe('of a user’s API tokens and pages', () => {
    const bob = named('bob', 'viewer')
    const by = (kind: 'token' | 'link', id: string, owner = bob): Identity => ({
      ...principalOf(owner),
      credential: { kind, id, name: '', limits: {}, expiresAt: null },
    })
    const token = (id: string) => by('token', id)

    test.each<[what: string, open: [Identity, number][], next: Identity, max: number | undefined]>([
      ['a token as many as a user', [[token('t1'), 4]], token('t1'), 4],
      ['a token beside a full one half as many', [[token('t1'), 4]], token('t2'), undefined],
      [
        'tokens together half as many again',
        [
          [token('t1'), 4],
          [token('t2'), 2],
        ],
        token('t3'),
        6,
      ],
      ['the user’s pages beside a full token half as many', [[token('t1'), 4]], bob, undefined],
      ['the user’s pages as many as a user', [[bob, 4]], bob, 4],
      ['a token beside pages that have all half as many', [[bob, 4]], token('t1'), undefined],
      [
        'a token beside pages that have all no more than half as many',
        [
          [bob, 4],
          [token('t1'), 2],
        ],
        token('t2'),
        6,
      ],
      [
        'a link of the user its own',
        [
          [bob, 4],
          [token('t1'), 2],
        ],
        by('link', 'l1'),
        undefined,
      ],
      ['a link as many as a user', [[by('link', 'l1'), 4]], by('link', 'l1'), 4],
      [
        'another user’s token its own',
        [
          [bob, 4],
          [token('t1'), 2],
        ],
        by('token', 't9', named('eve', 'viewer')),
        undefined,
      ],
    ])('%s', async (_what, open, next, max) => {
      for (const [ofRoute, ofAll, code] of [
        [4, 99, 'too-many-streams-of-kind'],
        [99, 4, 'too-many-streams'],
      ] as const) {
        const openStreams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
        const access = { camera: 'live', of: async () => 'yard' } as const
        const stream = { maxPerUser: () => ofRoute }
        const handle = () => respond({ body: endless() })
        const route = routeTo(handle, { stream, access, reads: 'snapshot' })
        const forLinks = routeTo(handle, { stream, access: { ...access, link: true }, reads: 'snapshot' })
        const portFor = (identity: Identity) =>
          testPort({
            authentication: authenticated(identity),
            authenticateLink: () => authenticated(identity),
            openStreams,
            routes: [credentialOf(identity)?.kind === 'link' ? forLinks : route],
            streamsPerUser: () => ofAll,
          })
        for (const [identity, count] of open) {
          const { app } = await portFor(identity)
          for (let at = 0; at < count; at++) await opened(app)
        }
        const { app } = await portFor(next)
        const { client } = await connected(app)
        const [response] = (await once(client, 'response')) as [IncomingMessage]
        expect(response.statusCode).toBe(max === undefined ? 200 : 429)
        if (max !== undefined) {
          const { detail, reason } = (await json(response)) as { detail: string; reason: object }
          expect(reason).toMatchObject({ code, values: { max } })
          expect(detail.includes('together')).toBe(max > 4)
        }
        client.destroy()
        openStreams.stop()
      }
    })
  })

  test('[RATE-7] of a share link is counted by address on a route with a limit', async () => {
    const identity: Identity = {
      ...principalOf(named('bob', 'viewer')),
      credential: { kind: 'link', id: 'l1', name: '', limits: {} },
    }
    let address = '192.0.2.7'
    const access = { camera: 'live', of: async () => 'yard', link: true } as const
    const { app, openStreams } = await testPort({
      authentication: authenticated(identity),
      authenticateLink: () => authenticated(identity),
      clientOf: () => ({ address, encrypted: true, knownEncrypted: true, host: '', basePath: '/' }),
      routes: [
        routeTo(() => respond({ body: endless() }), { stream: { maxPerUser: () => 1 }, access, reads: 'snapshot' }),
      ],
      streamsPerUser: () => 2,
    })
    const statusOf = async () => {
      const { client } = await connected(app)
      const [response] = (await once(client, 'response')) as [IncomingMessage]
      return response.statusCode
    }
    const statuses = [await statusOf(), await statusOf()]
    address = '192.0.2.8'
    statuses.push(await statusOf())
    address = '192.0.2.9'
    // The link as a whole has its two.
    expect([...statuses, await statusOf()]).toEqual([200, 429, 200, 429])
    openStreams.stop()
  })

  test('of an unauthenticated caller belongs to the address', async () => {
    const body = endless()
    const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
    const { send, openStreams } = await testPort({
      clientOf: () => client,
      routes: [routeTo(() => respond({ body }), { access: { open: 'for a test' } })],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf('address 192.0.2.7')).toBe(1)
    body.push(null)
    await sent
  })

  test('[ROLE-10] gets the new grant of its role, and is aborted when that no longer allows it', async () => {
    let known = fakeRoles(new Map([['guard', ['yard']]]))
    const seen: unknown[] = []
    const handle = (_input: unknown, caller: Caller) => {
      caller.onGrantChange(() => void seen.push([caller.scope, caller.grant]))
      return respond({ body: endless() })
    }
    const { app, openStreams } = await testPort({
      authentication: authenticated(named('gil', 'guard')),
      roles: { ...known, grantOf: (role) => known.grantOf(role) },
      routes: [routeTo(handle, { access: { cameras: 'live' } })],
    })
    const { received, closed } = await opened(app)
    await openStreams.reauthorizeAll()
    expect(seen).toEqual([])
    known = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const grant = known.grantOf('guard')
    await openStreams.reauthorizeAll()
    expect(seen).toEqual([[scopeOf(grant), grant]])
    known = fakeRoles(new Map())
    await openStreams.reauthorizeAll()
    await closed
    expect([received(), seen.length, openStreams.count]).toEqual(['first', 1, 0])
  })

  test('[ROLE-10] of named cameras has only those in its scope, also with a new grant', async () => {
    let known = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const scopes: unknown[] = []
    const handle = (_input: unknown, caller: Caller) => {
      scopes.push(caller.scope)
      caller.onGrantChange(() => void scopes.push(caller.scope))
      return respond({ body: endless() })
    }
    const requested = { of: 'query', name: 'cameras' } as const
    const schema = { summary: '', querystring: Type.Object({ cameras: Type.String() }) }
    const { app, openStreams } = await testPort({
      authentication: authenticated(named('gil', 'guard')),
      roles: { ...known, grantOf: (role) => known.grantOf(role) },
      routes: [routeTo(handle, { access: { cameras: 'live', requested }, schema })],
    })
    await opened(app, '/api/x?cameras=yard')
    known = fakeRoles(new Map([['guard', ['yard']]]))
    await openStreams.reauthorizeAll()
    const yard = narrowScope(scopeOf(known.grantOf('guard')), ['yard'])
    expect(scopes).toEqual([yard, yard])
  })

  test('[ROLE-10] of a camera is aborted when the camera is removed', async () => {
    let exists = true
    const { app, openStreams } = await testPort({
      cameraExists: () => exists,
      routes: [
        routeTo(() => respond({ body: endless() }), {
          path: '/api/cameras/:camera/x',
          access: { camera: 'live', of: 'path' },
          reads: 'snapshot',
        }),
      ],
    })
    const { closed } = await opened(app, '/api/cameras/yard/x')
    await openStreams.reauthorizeAll()
    expect(openStreams.count).toBe(1)
    exists = false
    await openStreams.reauthorizeAll()
    await closed
  })

  test('sends its last words, and is aborted if a client does not read them', async () => {
    const clock = createTestClock()
    let words = 'bye'
    const { app, openStreams } = await testPort({
      clock,
      routes: [
        routeTo(() => respond({ body: endless(), lastWords: (reason) => (reason === 'stopping' ? words : undefined) })),
      ],
    })
    const first = await opened(app)
    openStreams.stop()
    await first.closed
    expect(first.received()).toBe('firstbye')
    words = 'x'.repeat(50_000_000)
    const second = await opened(app)
    second.pause()
    openStreams.stop()
    await clock.advance(500)
    second.resume()
    await second.closed
    expect(second.received().length).toBeLessThan(words.length)
  })

  test('of a client that disconnects is closed at its source', async () => {
    const body = endless()
    const { app, entries, openStreams } = await testPort({
      routes: [routeTo(() => respond({ body }), { reads: 'config.read' })],
    })
    const { end } = await opened(app)
    expect(entries).toHaveLength(1)
    end()
    await expect.poll(() => [body.destroyed, openStreams.count, entries.length]).toEqual([true, 0, 2])
  })

  test('of a client that disconnected before its handler was done is not opened', async () => {
    const body = endless()
    const handling = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const { app, entries, openStreams } = await testPort({
      routes: [
        routeTo(
          async () => {
            handling.resolve()
            await done.promise
            return respond({ body })
          },
          { reads: 'config.read' },
        ),
      ],
    })
    await portOf(app)
    const connections = once(app.server, 'connection') as Promise<[Socket]>
    const { client } = await connected(app)
    const [connection] = await connections
    await handling.promise
    client.destroy()
    await once(connection, 'close')
    done.resolve()
    await expect.poll(() => [body.destroyed, openStreams.count, entries.length]).toEqual([true, 0, 2])
  })
})
