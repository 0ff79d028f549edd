/** SQL in what filters, sorts and pages a list. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let admin: TestClient
let guard: TestClient
let lists: { path: string; parameters: string[] }[]

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] } } },
  })
  admin = await service.user('ada', 'admin')
  guard = await service.user('gill', 'guard')
  const document = await service.internal.get('/api/openapi.json')
  const { paths } = document.json as { paths: Record<string, { get?: Operation }> }
  lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
    return path.startsWith('/api/oidc') || path.includes('{') || parameters.length === 0 ? [] : [{ path, parameters }]
  })
})
afterAll(stopAll)

const usernames = async (query = ''): Promise<string[]> => {
  const { json } = await service.internal.get(`/api/users${query}`)
  return (json as { username: string }[]).map(({ username }) => username)
}

test.each([
  ['CVE-2024-51482', "' or 1=1 --"],
  ['CVE-2024-51482', '1) or (1=1'],
  ['CVE-2024-43360', "') union select name, password_hash, 1, 1 from user --"],
  ['CVE-2023-26037', "yard'; drop table user; --"],
  ['CVE-2023-26034', 'key; select pg_sleep(9)'],
  ['CVE-2023-26034', '(select password_hash from user limit 1)'],
  ['CWE-89', '\\'],
  ['CWE-89', '%'],
  ['CWE-89', '"'],
])('[ERR-3] %s: %s in a parameter of a list is only text', async (_source, text) => {
  const before = await usernames()
  expect(lists.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/users', '/api/audit', '/api/review']))
  for (const { path, parameters } of lists) {
    for (const name of parameters) {
      for (const client of [admin, guard]) {
        const { status, text: body } = await client.get(`${path}?${name}=${encodeURIComponent(text)}`)
        expect([path, name, status]).toEqual([path, name, expect.toBeOneOf([200, 400, 403, 404])])
        expect(body).not.toContain('pbkdf2_sha256')
      }
    }
  }
  expect(await usernames()).toEqual(before)
  expect(await usernames(`?search=${encodeURIComponent(text)}`)).toEqual([])
})
