import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { onePage } from '../../test/support/bare-server.ts'
import { fakeRoles } from '../../test/support/fake-roles.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { authenticated, named, noOne, routeTo, testPort, viewer } from '../../test/support/test-port.ts'
import { unauthenticated } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import type { RequestSpec, RouteSchema } from '../http/route.ts'
import { ServiceError, type ErrorCode } from '../shared/errors.ts'

describe('a response', () => {
  test.each<[unknown, number, string]>([
    [undefined, 204, ''],
    [{ ok: true }, 200, '{"ok":true}'],
    [Promise.resolve({ ok: true }), 200, '{"ok":true}'],
    [respond({}), 204, ''],
    [respond({ status: 202 }), 202, ''],
    [respond({ body: { ok: true } }), 200, '{"ok":true}'],
    [respond({ status: 201, body: { ok: true } }), 201, '{"ok":true}'],
  ])('of %j is %i', async (result, status, body) => {
    const { send } = await testPort({ routes: [routeTo(() => result)] })
    const response = await send()
    expect([response.status, response.body, response.headers['x-every']]).toEqual([status, body, 'response'])
  })

  test('has the headers of its handler', async () => {
    const { send } = await testPort({ routes: [routeTo(() => respond({ headers: { 'x-own': '1' } }))] })
    expect((await send()).headers).toMatchObject({ 'x-own': '1', 'cache-control': 'no-store' })
  })

  test('has only what its schema has, and a request what its schema demands', async () => {
    const schema = {
      summary: '',
      body: Type.Object({ a: Type.Integer() }),
      response: { 200: Type.Object({ a: Type.Integer() }) },
    }
    const { send } = await testPort({
      routes: [routeTo(({ body }) => Object.assign({ b: 2 }, body), { method: 'POST', schema })],
    })
    expect(await send({ method: 'POST', payload: { a: 1 } })).toMatchObject({ status: 200, body: '{"a":1}' })
    expect(await send({ method: 'POST', payload: { a: 'x' } })).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await send({ method: 'POST', payload: { a: '1' } })).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await send({ method: 'POST' })).toMatchObject({ status: 400 })
  })

  test('does not depend on a body that its route does not take', async () => {
    const { send } = await testPort()
    const headers = { 'content-type': 'application/json' }
    expect((await send({ method: 'POST', headers, payload: 'nonsense' })).status).toBe(200)
  })

  test.each<[Error, number, unknown[]]>([
    [new ServiceError('conflict'), 409, []],
    [
      new ServiceError('unavailable'),
      503,
      [['debug', 'request rejected: unavailable', { code: 'unavailable', route: '/api/x' }]],
    ],
    [new ServiceError('unavailable', { cause: 'a fault' }), 503, [['error', 'request failed', { route: '/api/x' }]]],
    [new Error('a fault'), 500, [['error', 'request failed', { route: '/api/x' }]]],
  ])('of %s is %i, and the log has %j', async (error, status, lines) => {
    const handle = () => {
      throw error
    }
    const { send, logged } = await testPort({ routes: [routeTo(handle)] })
    const response = await send()
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['retry-after']).toBeUndefined()
    expect(response.body).not.toContain('a fault')
    expect(logged).toMatchObject(lines)
    expect(logged).toHaveLength(lines.length)
  })

  test('an error outside of a route names none in the log', async () => {
    const { send, logged } = await testPort({
      webFiles: {
        ...onePage,
        respond() {
          throw new Error('a fault')
        },
      },
    })
    expect((await send({ url: '/page' })).status).toBe(500)
    expect(logged).toMatchObject([['error', 'request failed', { route: null }]])
  })

  test.each<[ErrorCode, number]>([
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['unavailable', 403],
    ['not-found', 403],
  ])('[PROXY-14] of a route that fails closed with %s is %i', async (code, status) => {
    const handle = () => {
      throw new ServiceError(code)
    }
    const { send } = await testPort({ routes: [routeTo(handle, { failsClosed: true })] })
    const response = await send()
    expect(response.status).toBe(status)
    const isUndecided = code !== 'unauthenticated' && code !== 'forbidden'
    expect(response.body.includes('be decided right now')).toBe(isUndecided)
  })

  test('says when to try again', async () => {
    const error = new ServiceError('busy', { retryAfter: 7 })
    const { send } = await testPort({ routes: [routeTo(() => Promise.reject(error))] })
    expect((await send()).headers['retry-after']).toBe('7')
  })
})

describe('[ROLE-10] what a handler read for longer than 250 ms', () => {
  /** A list of the caller's cameras, which takes a while to read. */
  async function reading(
    milliseconds: number,
    { later = viewer, loses = false, body = (shown) => ({ shown }), more = {} }: Reading,
  ) {
    let elapsed = 0
    let cameras: readonly string[] = ['yard', 'door']
    let reads = 0
    const list = async (_input: unknown, { scope }: Caller) => {
      reads += 1
      const shown = scope.cameras === 'all' ? ['all'] : [...scope.cameras]
      await Promise.resolve()
      elapsed += reads === 1 ? milliseconds : 0
      if (loses) cameras = ['door']
      return body(shown)
    }
    const roles = {
      ...fakeRoles(new Map()),
      grantOf: () => ({ actions: new Set<'live'>(['live']), cameras: new Set(cameras) }),
    }
    const { send } = await testPort({
      clock: { ...createTestClock(), elapsed: () => elapsed },
      roles,
      authentication: authenticated(named('ann', 'guard'), { reauthenticate: () => later }),
      routes: [routeTo(list, { access: { cameras: 'live' }, ...more })],
    })
    return { send, reads: () => reads }
  }
  interface Reading {
    readonly later?: Authentication
    readonly loses?: boolean
    /** Default: an object. */
    readonly body?: (shown: string[]) => unknown
    readonly more?: Partial<RequestSpec<RouteSchema>>
  }

  test.each<[milliseconds: number, loses: boolean, shown: string[], reads: number]>([
    [251, true, ['door'], 2],
    [251, false, ['yard', 'door'], 1],
    [250, true, ['yard', 'door'], 1],
  ])('in %i ms, while the caller loses a camera: %s, shows %j', async (milliseconds, loses, shown, reads) => {
    const list = await reading(milliseconds, { loses })
    expect(JSON.parse((await list.send()).body)).toEqual({ shown })
    expect(list.reads()).toBe(reads)
  })

  test('is not sent to a caller who has lost access', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { send, reads } = await reading(251, { later: noOne })
      expect([(await send({ method })).status, reads()]).toEqual([401, 1])
    }
  })

  test('is sent to anyone, if the route is open to anyone, and read once: such a request can change something', async () => {
    const { send, reads } = await reading(251, { later: noOne, loses: true, more: { access: { open: 'a test' } } })
    expect([(await send()).status, reads()]).toEqual([200, 1])
  })

  test('is sent and read once, if it is a stream: that is an open stream from then on', async () => {
    const { send, reads } = await reading(251, { loses: true, body: (shown) => Readable.from(shown) })
    expect([(await send()).body, reads()]).toEqual(['yarddoor', 1])
  })

  test('is sent after a change that was made: it says what was done', async () => {
    const { send, reads } = await reading(251, { later: noOne })
    expect([(await send({ method: 'POST' })).status, reads()]).toEqual([200, 1])
  })
})

describe('the session cookie', () => {
  const renewed = { token: 'abc', maxAge: 60 }

  test('[TOK-5] [TOK-12] is set if it was renewed, and cleared alone or with all cookies of the site', async () => {
    const { send } = await testPort({ authentication: authenticated(named('ann', 'viewer'), { renewed }) })
    const { headers } = await send()
    expect([headers['set-cookie'], headers['clear-site-data']]).toEqual([
      'token=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      undefined,
    ])
    for (const [clearCookie, clearSiteData] of [
      ['alone', undefined],
      ['with-site', '"cookies"'],
    ] as const) {
      const port = await testPort({ authentication: authenticated(unauthenticated, { clearCookie }) })
      const cleared = await port.send()
      expect(cleared.headers['set-cookie']).toContainEqual(expect.stringMatching(/^token=; Max-Age=0; Path=\/api\/x/))
      expect([cleared.status, cleared.headers['clear-site-data']]).toEqual([401, clearSiteData])
    }
    expect((await (await testPort()).send()).headers['set-cookie']).toBeUndefined()
  })

  test('[TOK-4] [TOK-6] that a handler sets or clears replaces a renewed one', async () => {
    const authentication = authenticated(named('ann', 'viewer'), { renewed })
    for (const [session, start] of [
      [{ token: 'new', maxAge: 60 }, 'token=new;'],
      ['clear', 'token=;'],
    ] as const) {
      const routes = [routeTo(() => respond({ session }))]
      const { headers } = await (await testPort({ authentication, routes })).send()
      expect([headers['set-cookie']].flat()).toEqual([expect.stringMatching(`^${start}`)])
    }
  })
})
