import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { authenticated, noOne, routeTo, testPort } from '../../test/support/test-port.ts'
import { internalAdmin, unauthenticated } from '../access/identity.ts'
import { respond } from '../http/response.ts'
import { ServiceError } from '../shared/errors.ts'

const forbid = () => {
  throw new ServiceError('forbidden')
}

const readOf = (status: number, body: unknown) =>
  routeTo(() => respond({ status, body, range: { start: 1, end: 2 } }), {
    path: '/api/cameras/:camera/x',
    access: { camera: 'live', of: 'path' },
    reads: 'snapshot',
  })

describe('the audit log', () => {
  test('[AUD-2] has denied requests, with the path, merged by route', async () => {
    const { send, entries } = await testPort({
      routes: [routeTo(() => ({}), { path: '/api/x/:id', access: { service: 'config.manage', about: 'no-camera' } })],
    })
    await send({ url: '/api/x/1' })
    expect(entries).toEqual([
      [
        {
          action: 'request.denied',
          result: 'denied',
          user: 'ann',
          auth_method: 'password',
          address: '',
          target: 'GET /api/x/1',
          detail: 'forbidden',
        },
        'GET /api/x/:id',
      ],
    ])
  })

  test('[AUD-2] has no path of an open route, which can contain a secret', async () => {
    const { send, entries } = await testPort({
      routes: [routeTo(forbid, { path: '/api/x/:id', access: { open: 'for a test' } })],
    })
    await send({ url: '/api/x/secret' })
    expect(entries).toMatchObject([[{ target: 'GET /api/x/:id' }, 'GET /api/x/:id']])
  })

  test.each<[ServiceError | Error, number]>([
    [new ServiceError('wrong-password'), 0],
    [new ServiceError('not-found'), 0],
    [new Error('a fault'), 0],
    [new ServiceError('forbidden'), 1],
  ])('a handler that throws %s: %i entries', async (error, count) => {
    const handle = () => {
      throw error
    }
    const { send, entries } = await testPort({ routes: [routeTo(handle)] })
    await send()
    expect(entries).toHaveLength(count)
  })

  test.each([
    [
      { reason: 'bad-token', user: null, ambient: true },
      { user: null, auth_method: null, target: 'Cookie' },
    ],
    [
      { reason: 'revoked-token', user: { name: 'ann', authMethod: 'password' }, ambient: false },
      { user: 'ann', auth_method: 'password', target: 'Authorization' },
    ],
    [
      { reason: 'revoked-token', user: { name: 'ann', authMethod: 'oidc' }, ambient: true },
      { user: 'ann', auth_method: 'oidc', target: 'Cookie' },
    ],
  ] as const)('[AUD-2] [OIDC-2] has the rejected token %j', async (refusedToken, entry) => {
    const { send, entries } = await testPort({ authentication: authenticated(unauthenticated, { refusedToken }) })
    await send()
    expect(entries).toEqual([
      [
        { action: 'request.denied', result: 'denied', address: '', detail: refusedToken.reason, ...entry },
        refusedToken.reason,
      ],
    ])
  })

  test('[AUD-3] has reads until their end, with the camera, but no failed ones', async () => {
    const by = { user: 'ann', auth_method: 'password', address: '' }
    const entry = [
      { action: 'snapshot', result: 'success', ...by, target: 'yard', owner: 'password ann' },
      { start: 1, end: 2 },
    ]
    for (const [status, body, expected] of [
      [200, { ok: true }, [entry, ['end']]],
      [200, () => Readable.from(['a', 'b']), [entry, ['end']]],
      [399, { ok: true }, [entry, ['end']]],
      [400, { ok: true }, []],
    ] as const) {
      const { send, entries } = await testPort({ routes: [readOf(status, typeof body === 'function' ? body() : body)] })
      await send({ url: '/api/cameras/yard/x' })
      expect(entries).toEqual(expected)
    }
  })

  test('a read that names no camera has no target, and other routes no entry', async () => {
    for (const result of [respond({ body: {} }), {}]) {
      const { send, entries } = await testPort({ routes: [routeTo(() => result, { reads: 'config.read' })] })
      await send()
      expect(entries).toMatchObject([[{ action: 'config.read', target: null }, undefined], ['end']])
    }
    const other = await testPort({ routes: [routeTo(() => respond({ body: {} }))] })
    await other.send()
    expect(other.entries).toEqual([])
  })

  test('a read by no user belongs to no one', async () => {
    const routes = [routeTo(() => ({}), { access: { open: 'for a test' }, reads: 'config.read' })]
    const { send, entries } = await testPort({ authentication: noOne, routes })
    await send()
    const ownerless = expect.not.objectContaining({ owner: expect.anything() as string }) as object
    expect(entries).toEqual([[ownerless, undefined], ['end']])
  })

  test('has the use of the internal port, except of open routes', async () => {
    const authentication = authenticated(internalAdmin)
    const { send, entries } = await testPort({ authentication })
    await send()
    expect(entries).toMatchObject([
      [{ action: 'internal.use', result: 'success', user: 'anonymous', target: null }],
      ['end'],
    ])
    const routes = [routeTo(() => ({}), { access: { open: 'for a test' } })]
    const other = await testPort({ authentication, routes })
    await other.send()
    expect(other.entries).toEqual([])
  })
})
