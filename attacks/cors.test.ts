/** Pages of other sites that ask to read responses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const panel = 'https://panel.example'
let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null }, http: { allowed_origins: [panel] } },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const reading = accessRows
  // The last one would sign the admin out.
  .filter(({ method, path }) => method === 'GET' && !path.endsWith('/logout'))
  .map(({ path }) => path.replace(':camera', 'yard').replaceAll(/:\w+/g, '1'))

/** The headers of a response, or of that to its preflight, that let a page of this origin read it. */
async function permission(client: TestClient, method: string, target: string, origin: string): Promise<string[]> {
  const preflight = ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: authorization']
  const headers = [`Origin: ${origin}`, ...(method === 'OPTIONS' ? preflight : [])]
  const { head } = await rawRequest(client, { method, target, headers, headOnly: true })
  return head.match(/^(?:access-control-|timing-allow-origin|cross-origin-resource-policy: cross).*$/gim) ?? []
}

describe('[TOK-13] no response lets another site read it', () => {
  test.each([
    ['ASVS 3.4.2', 'https://evil.example', 'GET'],
    ['ASVS 3.4.2', 'https://evil.example', 'OPTIONS'],
    // Can make changes, but not read.
    ['ASVS 3.4.2', panel, 'GET'],
  ])('%s: of any route to %s, for %s', async (_source, origin, method) => {
    for (const client of [admin, service.internal]) {
      for (const target of reading)
        expect([target, await permission(client, method, target, origin)]).toEqual([target, []])
    }
  })

  test.each<[source: string, originOf: (own: string) => string]>([
    ['RFC 6454 7.1', () => 'null'],
    ['ASVS 3.4.2', (own) => own],
    ['ASVS 3.4.2', (own) => `${own}.evil.example`],
    ['ASVS 3.4.2', (own) => own.replace('//', '//evil.')],
    ['ASVS 3.4.2', () => '*'],
  ])('%s: nor to %s', async (_source, originOf) => {
    for (const client of [admin, service.internal]) {
      for (const target of ['/api/users', '/api/cameras', '/api/profile', '/']) {
        for (const method of ['GET', 'OPTIONS']) {
          expect(await permission(client, method, target, originOf(client.base))).toEqual([])
        }
      }
    }
  })

  test.each(['/', '/manifest.webmanifest', '/assets/x.js', '/favicon.svg', '/nothing', '/api//x', '/api/%zz'])(
    'ASVS 3.5.7: %s can be loaded by no other site',
    async (target) => {
      for (const client of [service.gate, admin]) {
        const { head } = await rawRequest(client, { target, headers: ['Origin: https://evil.example'] })
        expect(head).toMatch(/^cross-origin-resource-policy: same-origin$/im)
        expect(head).not.toMatch(/^access-control-/im)
      }
    },
  )

  test.each(['callback', 'jsonp', 'cb', '$callback'])(
    'ASVS 3.5.6: ?%s= makes no script of a response',
    async (name) => {
      const response = await admin.get(`/api/version?${name}=alert`)
      expect([response.headers['content-type'], response.text[0]]).toEqual(['application/json; charset=utf-8', '{'])
    },
  )
})

test.each(['*', 'null', 'https://panel.example/', 'panel.example', 'file://', 'https://a b'])(
  '[TOK-13] ASVS 3.4.2: %s cannot be configured as an origin',
  async (origin) => {
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    const body = `http: { allowed_origins: ["${origin}"] }\n`
    expect((await service.internal.request('PUT', '/api/config/raw', { headers, body })).status).toBe(400)
  },
)
