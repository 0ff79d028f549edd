import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test('a JSON body is sent to its route, with the parameters in the path', async () => {
  vi.stubGlobal('document', { baseURI: 'https://cams.example/sub/' })
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (url: URL, { method, body }: { method: string; body: string }) => {
    sent.push([method, url.href, JSON.parse(body)])
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const { sendJson } = await import('./api.ts')
  await sendJson('PUT /api/users/:username/role', { username: 'a/b:role' }, { role: 'guard', expected_role: 'viewer' })
  await sendJson('POST /api/login', {}, { user: 'ada', password: 'secret' })
  expect(sent).toEqual([
    ['PUT', 'https://cams.example/sub/api/users/a%2Fb%3Arole/role', { role: 'guard', expected_role: 'viewer' }],
    ['POST', 'https://cams.example/sub/api/login', { user: 'ada', password: 'secret' }],
  ])
})
