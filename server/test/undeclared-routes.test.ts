import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { inScope } from '../src/access/grant.ts'
import { internalAdmin, type Identity } from '../src/access/identity.ts'
import type { Authentication } from '../src/http/authentication.ts'
import { route, type Route } from '../src/http/route.ts'
import { bareServer } from './support/bare-server.ts'

const server = (routes: Route[], authentication?: Authentication) =>
  bareServer({ routes, ...(authentication && { authentication }) })

test('a route added outside of the route table does not start', async () => {
  const app = await server([])
  expect(() => app.get('/sneaky', async () => 'hi')).toThrow()
})

test('a route that declares no access does not start', async () => {
  const lost = {
    ...route({ method: 'GET', path: '/x', access: { signedIn: true }, schema: { summary: '' }, handle: () => null }),
  }
  await expect(server([{ ...lost, access: undefined as never }])).rejects.toThrow('GET /x declares no access')
})

test('a camera rule on a path without a camera does not start', () => {
  expect(() =>
    route({
      method: 'GET',
      path: '/api/recordings',
      schema: { summary: '' },
      access: { camera: 'live', of: 'path' },
      handle: () => null,
    }),
  ).toThrow('has no :camera')
})

test('a route that ignores a body that it takes does not start', () => {
  const spec = { method: 'POST', path: '/x', access: { signedIn: true }, ignoresBody: true, handle: () => {} } as const
  expect(() => route({ ...spec, schema: { summary: 'x', body: Type.Object({}) } })).toThrow('ignores it')
  expect(() => route({ ...spec, text: 'text/plain', schema: { summary: 'x' } })).toThrow('ignores it')
})

test('[AUD-3] a camera media route that declares no audited read does not start', () => {
  const media = { path: '/api/cameras/:camera/x', schema: { summary: '' }, handle: () => null } as const
  const access = { camera: 'live', of: 'path' } as const
  expect(() => route({ ...media, method: 'GET', access })).toThrow('declares no `reads`')
  expect(() => route({ ...media, method: ['POST', 'GET'], access })).toThrow('declares no `reads`')
  expect(() => route({ path: media.path, schema: media.schema, socket: () => undefined, access })).toThrow(
    'declares no',
  )
  expect(route({ ...media, method: 'GET', access, reads: 'snapshot' }).reads).toBe('snapshot')
})

test('an unauthenticated request causes no lookup', async () => {
  let lookups = 0
  const app = await server([
    route({
      method: 'GET',
      path: '/api/things/:id',
      schema: { summary: '', response: { 200: Type.Object({}) } },
      access: {
        camera: 'live',
        of: async () => {
          lookups += 1
          return 'yard'
        },
      },
      handle: () => ({}),
    }),
  ])
  expect((await app.inject('/api/things/7')).statusCode).toBe(401)
  expect(lookups).toBe(0)
})

test('a body is not read before authentication, and its camera is authorized before the handler', async () => {
  let handled = 0
  const body = route({
    method: 'POST',
    path: '/api/clips',
    schema: { summary: '', body: Type.Object({ camera: Type.String() }) },
    access: { camera: 'live', of: 'body' },
    handle: () => {
      handled += 1
      return {}
    },
  })
  const closed = await server([body])
  expect((await closed.inject({ method: 'POST', url: '/api/clips', payload: 'not json' })).statusCode).toBe(401)
  const internal: Authentication = { identity: internalAdmin, reauthenticate: () => internal }
  const open = await server([body], internal)
  expect((await open.inject({ method: 'POST', url: '/api/clips', payload: { camera: 'yard' } })).statusCode).toBe(200)
  expect((await open.inject({ method: 'POST', url: '/api/clips', payload: {} })).statusCode).toBe(400)
  expect((await open.inject({ method: 'POST', url: '/api/clips', payload: { camera: 'nowhere' } })).statusCode).toBe(
    404,
  )
  expect(handled).toBe(1)
})

test('an unexpected error reveals no details', async () => {
  const app = await server([
    route({
      method: 'GET',
      path: '/api/broken',
      access: { open: 'test' },
      schema: { summary: '' },
      handle: () => {
        throw new Error('the secret is 1234')
      },
    }),
  ])
  const response = await app.inject('/api/broken')
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain('1234')
  expect(response.headers['content-type']).toContain('application/problem+json')
})

const handle = () => null

test('code that bypasses the gate does not compile', () => {
  const schema = { summary: '' }
  const lost = [
    // @ts-expect-error a route must declare its access
    () => route({ method: 'GET', path: '/x', schema, handle }),
    // @ts-expect-error an action must be a known one
    () => route({ method: 'GET', path: '/x', schema, handle, access: { service: 'users.mange', about: 'no-camera' } }),
    // @ts-expect-error an action on the service must say which cameras it concerns
    () => route({ method: 'GET', path: '/x', schema, handle, access: { service: 'users.manage' } }),
    // @ts-expect-error a camera action is not a service action
    () => route({ method: 'GET', path: '/x/:camera', schema, handle, access: { camera: 'users.manage', of: 'path' } }),
    // @ts-expect-error only access/grant.ts creates a scope
    () => inScope({ cameras: new Set(['yard']) }, 'yard'),
    // @ts-expect-error an identity is either unauthenticated or complete
    (): Identity => ({ kind: 'authenticated', name: 'x', role: 'admin' }),
  ]
  // The compiler is the test: `npm run typecheck` fails if one of these compiles.
  expect(lost).toHaveLength(6)
})
