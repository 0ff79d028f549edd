/** Redirects that a client tries to lead to another site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { trusted_proxies: ['127.0.0.2'] } } })
})
afterAll(stopAll)

/** The target of each redirect that the service has. */
async function locations(query: string, headers: readonly string[], from?: string): Promise<string[]> {
  const targets = ['/logout', '/api/logout', '/api/login'].map((path) => path + query)
  const all = targets.map(async (target) => {
    const { head } = await rawRequest(service.gate, { target, headers, ...(from !== undefined && { from }) })
    return /^location: (.*)$/im.exec(head)?.[1] ?? ''
  })
  return Promise.all(all)
}

describe('[PATH-3] a redirect leads to the login page, whatever', () => {
  test.each<[source: string, query: string]>([
    ['GHSA-qqxw-m5fj-f7gv', '?rd=https://evil.example'],
    ['GHSA-j7px-6hwj-hpjg', '?rd=/%5cevil.example'],
    ['GHSA-5m6c-jp6f-2vcv', '?rd=%20/%20/evil.example'],
    ['GHSA-4mf2-f3wh-gvf2', '?rd=https://evil.127.0.0.1'],
    ['CVE-2021-29456', '?redirect=//evil.example&next=//evil.example&return=//evil.example'],
    ['RFC 9700 4.11', '?redirect_uri=https://evil.example&return_to=https://evil.example&url=https://evil.example'],
    ['RFC 9110 5.5', '?return=%0d%0aLocation:%20https://evil.example'],
  ])('%s: the query %s', async (_source, query) => {
    expect(await locations(query, [])).toEqual(['/login', '/login', '/login'])
  })

  test.each<[source: string, headers: readonly string[]]>([
    ['CVE-2021-29456', ['Referer: https://evil.example/']],
    ['CVE-2026-35051', ['X-Forwarded-Prefix: //evil.example', 'X-Forwarded-Host: evil.example']],
    [
      'CVE-2026-35051',
      ['X-Forwarded-Proto: javascript', 'X-Forwarded-Uri: //evil.example', 'X-Original-URL: //evil.example'],
    ],
    ['CVE-2026-54764', ['X-Forwarded-Port: 443@evil.example', 'X-Forwarded-Server: evil.example']],
  ])('%s: the headers %j', async (_source, headers) => {
    expect(await locations('', headers)).toEqual(['/login', '/login', '/login'])
  })

  test.each<[source: string, prefix: string]>([
    ['CVE-2026-35051', '//evil.example'],
    ['CVE-2026-35051', '/\\evil.example'],
    ['CVE-2026-35051', '/%2fevil.example'],
    ['CVE-2026-35051', '/x/../..//evil.example'],
    ['CVE-2026-35051', 'https://evil.example'],
    ['CVE-2026-35051', '/.'],
    ['CVE-2026-35051', '/x?'],
    ['CVE-2026-35051', '/x, //evil.example'],
    ['RFC 9110 5.5', '/x\t//evil.example'],
  ])('%s: the prefix %j from a trusted proxy', async (_source, prefix) => {
    expect(await locations('', [`X-Forwarded-Prefix: ${prefix}`], '127.0.0.2')).toEqual(['/login', '/login', '/login'])
  })

  test('a plain prefix from a trusted proxy is part of the redirect', async () => {
    expect(await locations('', ['X-Forwarded-Prefix: /cams'], '127.0.0.2')).toEqual(Array(3).fill('/cams/login'))
    expect(await locations('', ['X-Forwarded-Prefix: /cams'])).toEqual(Array(3).fill('/login'))
  })
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'file:///etc/passwd', 'https://', 'x'])(
  '[PROXY-13] RFC 9700 4.11: %s isn’t a logout_url',
  async (logout_url) => {
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    for (const text of [`logout_url: "${logout_url}"\n`, `proxy: { logout_url: "${logout_url}" }\n`]) {
      const saved = await service.internal.request('PUT', '/api/config/raw', { headers, body: text })
      expect([saved.status, saved.text]).toEqual([400, expect.stringContaining('logout_url')])
    }
  },
)
