import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createOpenApi } from './openapi.ts'
import { route } from './route.ts'

test('the OpenAPI document is built once for concurrent requests', async () => {
  let read = 0
  const things = route({
    method: 'GET',
    path: '/api/things',
    access: { signedIn: true },
    schema: { summary: 'Things', response: { 200: Type.Array(Type.String()) } },
    handle: () => [],
  })
  const routes = { [Symbol.iterator]: () => ((read += 1), [things][Symbol.iterator]()) } as never
  const openApi = createOpenApi(routes, '1.2.3', () => 'token')
  const [one, other] = await Promise.all([openApi(), openApi()])
  expect(other).toBe(one)
  expect(await openApi()).toBe(one)
  expect(read).toBe(1)
  expect(JSON.parse(one.text)).toMatchObject({ info: { version: '1.2.3' }, paths: { '/api/things': { get: {} } } })
  expect(one.etag).toMatch(/^"[\w-]{43}"$/)
})

const withCookie = (cookie: string) => ({ components: { securitySchemes: { cookie: { in: 'cookie', name: cookie } } } })

test('the document names the cookie that is configured now', async () => {
  let name = 'cams'
  const openApi = createOpenApi([], '1', () => name)
  const { text, etag } = await openApi()
  expect(JSON.parse(text)).toMatchObject(withCookie('cams'))
  name = 'other'
  const next = await openApi()
  expect(JSON.parse(next.text)).toMatchObject(withCookie('other'))
  expect(next.etag).not.toBe(etag)
})

/** A route with this declaration. */
const routeWith = (ifMatch: { ifMatch?: true }, path: `/${string}`) =>
  route({ method: 'PUT', path, access: { signedIn: true }, schema: { summary: '', ...ifMatch }, handle: () => null })

test('a route that requires If-Match says so', async () => {
  const { text } = await createOpenApi(
    [routeWith({ ifMatch: true }, '/api/guarded'), routeWith({}, '/api/other')],
    '1',
    () => 'token',
  )()
  const { paths } = JSON.parse(text) as { paths: Record<string, { put: { parameters?: object[] } }> }
  expect(paths['/api/guarded']?.put.parameters).toMatchObject([{ in: 'header', name: 'If-Match', required: true }])
  expect(paths['/api/other']?.put).not.toHaveProperty('parameters')
})

test('what a route does comes before who can do it', async () => {
  const schema = { summary: 'Stream live video.', description: 'A slow reader skips frames.' }
  const { text } = await createOpenApi(
    [route({ method: 'GET', path: '/api/video', access: { signedIn: true }, schema, handle: () => null })],
    '1',
    () => 'token',
  )()
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> }
  expect(paths['/api/video']?.['get']).toMatchObject({
    summary: 'Stream live video.',
    description: 'A slow reader skips frames. Access: signed in.',
  })
})
