import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient

beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { roles: { guard: ['yard'] } } } })
  ;[guard, viewer] = await Promise.all([service.user('gil', 'guard'), service.user('vera')])
})
afterAll(() => stopAll())

const bodies: [what: string, method: string, path: string, naming: (camera: string) => object][] = [
  ['an export', 'POST', '/api/exports', (camera) => ({ camera, start: 1_700_000_000, end: 1_700_000_010 })],
  ['a mark', 'PUT', '/api/review/seen', (camera) => ({ seen: true, filter: { before: 1, cameras: [camera] } })],
]

test('every route whose body names a camera is in this table', () => {
  const routes = accessRows
    .filter(({ access }) => /camera in the body|in the body's/.test(access))
    .map(({ method, path }) => [method, path])
  expect(bodies.map(([, method, path]) => [method, path])).toEqual(routes)
})

test.each(bodies)(
  '[ROLE-4] %s whose body names the camera is limited to the role’s cameras',
  async (_what, method, path, naming) => {
    const status = async (client: TestClient, camera: string) =>
      (await client.request(method, path, { body: naming(camera) })).status
    for (const camera of ['office', 'nowhere']) expect(await status(guard, camera), camera).toBe(403)
    const [foreign, absent] = await Promise.all(
      ['office', 'cellar'].map(async (camera) => {
        const { headers, text } = await guard.request(method, path, { body: naming(camera) })
        return { headers: { ...headers, date: '' }, text }
      }),
    )
    expect(foreign).toEqual(absent)
    expect(await status(guard, 'yard')).not.toBeOneOf([400, 401, 403])
    expect(await status(viewer, 'office')).not.toBeOneOf([400, 401, 403])
    expect(await status(viewer, 'nowhere')).toBe(404)
    expect(await status(service.gate, 'yard')).toBe(401)
  },
)
