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
  const openApi = createOpenApi(routes, '1.2.3')
  const [one, other] = await Promise.all([openApi(), openApi()])
  expect(other).toBe(one)
  expect(await openApi()).toBe(one)
  expect(read).toBe(1)
  expect(JSON.parse(one.text)).toMatchObject({ info: { version: '1.2.3' }, paths: { '/api/things': { get: {} } } })
  expect(one.etag).toMatch(/^"[\w-]{43}"$/)
})
