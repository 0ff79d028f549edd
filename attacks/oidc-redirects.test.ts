/** Sign-in with an identity provider: pages to return to on other sites, errors with markup or secrets in them, and a callback on a forged host. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { outcomeOf, startFakeOidcService, type FakeOidcService } from '../server/test/support/fake-oidc-service.ts'
import { cookieOf } from '../server/test/support/oidc-service.ts'

let at: FakeOidcService
beforeAll(async () => {
  at = await startFakeOidcService()
})
beforeEach(() => at.provider.reset())
afterAll(stopAll)

describe('[OIDC-1] after the sign-in', () => {
  test.each<[source: string, text: string, location: string]>([
    ['ASVS 3.7.2', '//evil.example', '/'],
    ['ASVS 3.7.2', '///evil.example', '/'],
    ['ASVS 3.7.2', '/\\evil.example', '/'],
    ['ASVS 3.7.2', '\\\\evil.example', '/'],
    ['ASVS 3.7.2', '/\t/evil.example', '/'],
    ['ASVS 3.7.2', '/\n/evil.example', '/'],
    ['ASVS 3.7.2', ' //evil.example', '/'],
    ['ASVS 3.7.2', '/.//evil.example', '/'],
    ['ASVS 3.7.2', '/..//evil.example', '/'],
    ['ASVS 3.7.2', '/%2e//evil.example', '/'],
    ['ASVS 3.7.2', 'https://evil.example', '/'],
    ['ASVS 3.7.2', 'https:evil.example', '/'],
    ['ASVS 3.7.2', 'javascript:alert(1)', '/'],
    ['ASVS 3.7.2', 'data:text/html,x', '/'],
    ['ASVS 3.7.2', 'evil.example', '/'],
    ['CWE-113', '/live\r\nset-cookie: a=b', '/'],
    ['ASVS 3.7.2', '/%09/evil.example', '/%09/evil.example'],
    ['ASVS 3.7.2', '/%2f/evil.example', '/%2f/evil.example'],
    ['ASVS 3.7.2', '/@evil.example', '/@evil.example'],
  ])('%s: %j leads to a page of this service', async (_source, text, location) => {
    const done = await at.signIn(`?return_to=${encodeURIComponent(text)}`)
    expect([outcomeOf(done), done.headers.location]).toEqual(['in', location])
  })

  test('CWE-400: a page of thousands of characters, also once they are encoded, isn’t one', async () => {
    for (const text of [`/${'a'.repeat(3000)}`, `/${'"'.repeat(1500)}`]) {
      const done = await at.signIn(`?return_to=${encodeURIComponent(text)}`)
      expect([outcomeOf(done), done.headers.location]).toEqual(['in', '/'])
    }
  })

  test('ASVS 15.3.7: two pages to return to are 400', async () => {
    expect((await at.service.gate.get('/api/oidc/login?return_to=/live&return_to=//evil.example')).status).toBe(400)
  })
})

describe('[OIDC-1] an error that the provider reports', () => {
  const markup = '<img src=x onerror=alert(1)>'
  test.each<[source: string, error: string, outcome: string]>([
    ['RFC 6749 4.1.2.1', 'access_denied', 'provider-denied'],
    ['RFC 6749 4.1.2.1', 'temporarily_unavailable', 'provider-unavailable'],
    ['RFC 6749 4.1.2.1', 'server_error', 'provider-unavailable'],
    ['CWE-79', markup, 'provider-denied'],
    ['CWE-20', '__proto__', 'provider-denied'],
  ])('%s: %s is in no URL or page', async (_source, error, outcome) => {
    const { state, cookie } = await at.begin()
    const description = `${markup} a-secret-word`
    const done = await at.callback({ state, iss: at.provider.issuer, error, error_description: description }, cookie)
    expect([outcomeOf(done), done.headers.location]).toEqual([outcome, `/login?failure=${outcome}`])
    expect(done.text).not.toContain('a-secret-word')
  })

  test('CWE-79: a failure that isn’t one leads to a login page that shows nothing of it', async () => {
    const page = await at.service.gate.get(`/login?failure=${encodeURIComponent(markup)}`)
    expect(page.text).not.toContain('onerror')
  })
})

const redirectUri = async (headers: Record<string, string>) => {
  const { headers: sent } = await at.service.gate.get('/api/oidc/login', headers)
  return new URL(String(sent.location)).searchParams.get('redirect_uri')
}

describe('[OIDC-1] where the provider sends the browser back to', () => {
  test.each<[source: string, header: string, value: string]>([
    ['ASVS 4.1.3', 'x-forwarded-host', 'evil.example'],
    ['ASVS 4.1.3', 'forwarded', 'host=evil.example'],
    ['ASVS 4.1.3', 'x-host', 'evil.example'],
    ['ASVS 4.1.3', 'x-forwarded-proto', 'https'],
    ['ASVS 4.1.3', 'x-forwarded-prefix', '/evil'],
    ['ASVS 4.1.3', 'x-ingress-path', '/evil'],
  ])('%s: %s of a client makes no difference', async (_source, header, value) => {
    expect(await redirectUri({ [header]: value })).toBe(`${at.service.gate.base}/api/oidc/callback`)
  })

  test('ASVS 4.1.3: a trusted proxy says which host and scheme the browser used', async () => {
    const there = await startFakeOidcService({ auth: { trusted_proxies: ['127.0.0.1'] } })
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-host': 'cams.example', 'x-forwarded-proto': 'https' }
    const begun = await there.service.gate.get('/api/oidc/login', headers)
    expect(new URL(String(begun.headers.location)).searchParams.get('redirect_uri')).toBe(
      'https://cams.example/api/oidc/callback',
    )
    expect(begun.cookies.join()).toContain('Secure')
  })

  test('ASVS 3.3.1: a cookie for other sites is set only over TLS', async () => {
    const there = await startFakeOidcService({ auth: { cookie_same_site: 'none' } })
    for (const path of ['/api/oidc/login', '/api/oidc/callback?code=a&state=b']) {
      const { status, json } = await there.service.gate.get(path)
      expect([status, json]).toEqual([400, expect.objectContaining({ reason: { code: 'https-required' } })])
    }
  })

  test("RFC 9700 4.1: a Host that the client chose is in the URI, which the provider refuses; a code for it isn't accepted elsewhere", async () => {
    const begun = await at.service.gate.get('/api/oidc/login', { host: 'evil.example' })
    const location = new URL(String(begun.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe('http://evil.example/api/oidc/callback')
    const [state, code] = [location.searchParams.get('state')!, location.searchParams.get('nonce')!]
    await at.callback({ code, state, iss: at.provider.issuer }, cookieOf(begun, 'gatehouse_sign_in'))
    // The provider compares it with the one of the first step (RFC 6749, 4.1.3), which is not this service's.
    expect(at.provider.requests.findLast(({ path }) => path === '/token')?.body.get('redirect_uri')).toBe(
      'http://evil.example/api/oidc/callback',
    )
  })
})
