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

test('a tuple is described as JSON Schema 2020-12 does', async () => {
  const points = route({
    method: 'GET',
    path: '/api/points',
    access: { signedIn: true },
    schema: { summary: 'Points', response: { 200: Type.Tuple([Type.Number(), Type.String()]) } },
    handle: () => [0, ''],
  })
  const { text } = await createOpenApi([points], '1')()
  const { paths } = JSON.parse(text) as {
    paths: { '/api/points': { get: { responses: { 200: { content: { 'application/json': { schema: object } } } } } } }
  }
  expect(paths['/api/points'].get.responses[200].content['application/json'].schema).toEqual({
    type: 'array',
    prefixItems: [{ type: 'number' }, { type: 'string' }],
    items: false,
    minItems: 2,
  })
})
