/** An identity provider that is hostile or broken: addresses in its discovery document, redirects, endless responses, and what of its secrets is shown. */
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeConfig } from '../server/test/support/change-config.ts'
import { onTestFinishedOrLater, stopAll } from '../server/test/support/cleanups.ts'
import { outcomeOf, startFakeOidcService, type FakeOidcService } from '../server/test/support/fake-oidc-service.ts'
import { fakeKeys, fakePaths, startFakeProvider, type FakeProvider } from '../server/test/support/fake-provider.ts'
import { sessionOf } from '../server/test/support/oidc-service.ts'

let at: FakeOidcService
let other: FakeProvider
beforeAll(async () => {
  at = await startFakeOidcService()
  other = await startFakeProvider()
  onTestFinishedOrLater(async () => other.stop())
})
afterAll(stopAll)

/** Longer than a discovery document is used. */
const hour = 3_601_000
beforeEach(async () => {
  at.provider.reset()
  other.requests.length = 0
  // None that is due: to ask the provider about it again would read the discovery document before the test does.
  const users = (await at.service.internal.get('/api/users')).json as readonly { key: string }[]
  for (const { key } of users) await at.service.internal.delete(`/api/sessions?user=${encodeURIComponent(key)}`)
  await at.service.clock.skip(hour)
})

const startOf = async () => {
  const { location, cookie } = await at.begin()
  return cookie === '' ? (location.searchParams.get('failure') ?? 'none') : location.origin
}

describe('[OIDC-1] a discovery document', () => {
  test.each<[source: string, what: string, metadata: (issuer: string) => Readonly<Record<string, unknown>>]>([
    ['ASVS 10.5.3', 'of another issuer', () => ({ issuer: 'https://other.example' })],
    ['ASVS 10.5.3', 'of the issuer with a slash', (issuer) => ({ issuer: `${issuer}/` })],
    ['ASVS 10.5.3', 'of the issuer in capitals', (issuer) => ({ issuer: issuer.toUpperCase() })],
    ['ASVS 10.5.3', 'without an issuer', () => ({ issuer: undefined })],
    [
      'CWE-918',
      'with a token endpoint on the network without TLS',
      () => ({ token_endpoint: 'http://10.0.0.1/token' }),
    ],
    ['CWE-918', 'with keys at a metadata address', () => ({ jwks_uri: 'http://169.254.169.254/latest/meta-data' })],
    ['CWE-918', 'with a userinfo endpoint that is a file', () => ({ userinfo_endpoint: 'file:///etc/passwd' })],
    ['CWE-918', 'with a userinfo endpoint that isn’t text', () => ({ userinfo_endpoint: { href: 'https://a' } })],
    ['CWE-601', 'with a page that is a script', () => ({ authorization_endpoint: 'javascript:alert(1)//' })],
    ['CWE-601', 'with a sign-out page that is a script', () => ({ end_session_endpoint: 'javascript:alert(1)' })],
    ['CWE-20', 'without pages', () => ({ authorization_endpoint: undefined })],
    ['CWE-319', 'with a page without TLS', () => ({ authorization_endpoint: 'http://id.example/authorize' })],
  ])('%s: %s is refused', async (_source, _what, metadata) => {
    at.provider.metadata = metadata(at.provider.issuer)
    expect(await startOf()).toBe('provider-unavailable')
  })

  test('pages on another host are allowed over HTTPS: large providers have several', async () => {
    at.provider.metadata = { authorization_endpoint: 'https://accounts.example/authorize' }
    expect(await startOf()).toBe('https://accounts.example')
  })
})

const redirectTo =
  (path: string, status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location: other.issuer + path }).end()
const body =
  (
    text: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    status = 200,
  ): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(text)
const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const send = (): void => void response.write(' '.repeat(65_536), (error) => (error ? undefined : send()))
  send()
}
const half: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"issuer":', () => response.destroy())
}
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
const json = { 'content-type': 'application/json' }

describe('[OIDC-5] instead of a response', () => {
  const responses: readonly (readonly [source: string, what: string, listener: (path: string) => RequestListener])[] = [
    ['RFC 9700 4.12', 'a redirect 307 to another host', (path) => redirectTo(path, 307)],
    ['CWE-918', 'a redirect 302 to another host', (path) => redirectTo(path, 302)],
    ['CWE-400', 'an endless response', () => endless],
    ['CWE-409', 'a gzip bomb', () => body(bomb, { ...json, 'content-encoding': 'gzip' })],
    ['CWE-20', 'half a response', () => half],
    ['CWE-20', 'a page', () => body('<html>', { 'content-type': 'text/html' })],
    ['CWE-20', 'garbage', () => body('{"a":')],
    ['CWE-20', 'null', () => body('null')],
    ['CWE-20', 'a list', () => body('[]')],
    ['CWE-20', 'nothing', () => body('')],
    ['OIDC-5', 'a failure', () => body('{}', json, 503)],
  ]
  const paths = [fakePaths.discovery, fakePaths.token, fakePaths.keys, fakePaths.userinfo]
  const rows = responses.flatMap(([source, what, listener]) => paths.map((path) => ({ source, what, path, listener })))

  test.each(rows)(
    '$source: $what from $path signs no one in, and nothing else is asked',
    async ({ path, listener }) => {
      at.provider.instead.set(path, listener(path))
      const outcome = outcomeOf(await at.signIn())
      expect(['provider-unavailable', 'provider-denied', 'sign-in-expired']).toContain(outcome)
      expect(other.requests).toEqual([])
      // Neither a restart nor an admin is needed.
      at.provider.reset()
      await at.service.clock.advance(2_001)
      expect(outcomeOf(await at.signIn())).toBe('in')
    },
  )
})

describe('[OIDC-1] secrets of a sign-in', () => {
  const refreshToken = 'a-refresh-token-of-the-provider'
  const secrets = (text: string, made: readonly string[]) =>
    [at.provider.clientSecret, 'an-access-token', refreshToken, ...made].filter((secret) => text.includes(secret))

  test('ASVS 14.2.1: are in no log, response or audit entry, whether it succeeds or fails at any step', async () => {
    const made: string[] = []
    const remember = async (claims: object) => {
      const token = await at.provider.sign({ ...claims })
      made.push(token, token.split('.')[1]!)
      return token
    }
    at.provider.idToken = remember
    at.provider.tokens = { refresh_token: refreshToken }
    const admin = await at.service.admin()
    const replies: string[] = []
    const attempt = async (change: () => void) => {
      at.provider.reset()
      at.provider.idToken = remember
      at.provider.tokens = { refresh_token: refreshToken }
      change()
      const { state, nonce, cookie } = await at.begin()
      made.push(nonce, state)
      const done = await at.callback({ code: nonce, state, iss: at.provider.issuer }, cookie)
      replies.push(JSON.stringify(done.headers).replace(sessionOf(done), ''), done.text)
    }
    await attempt(() => {})
    await attempt(() => (at.provider.claims = { aud: 'other' }))
    await attempt(() => (at.provider.claims = { groups: [] }))
    await attempt(() => (at.provider.claims = { nonce: 'other' }))
    await attempt(() => (at.provider.userinfo = { sub: 'bob' }))
    await attempt(() => at.provider.keys.splice(0))
    await attempt(() => (at.provider.tokens = { access_token: undefined, refresh_token: refreshToken }))
    await attempt(() => (at.provider.tokens = { token_type: 'mac', refresh_token: refreshToken }))
    await attempt(() => at.provider.instead.set(fakePaths.token, body('{"error":"invalid_grant"}', json, 400)))
    await attempt(() => at.provider.instead.set(fakePaths.userinfo, body('', { 'www-authenticate': 'Bearer' }, 401)))
    // A re-check that succeeds, and one that fails.
    await at.service.clock.advance(301_000)
    at.provider.instead.set(fakePaths.token, body('{"error":"invalid_grant"}', json, 400))
    await at.service.clock.advance(301_000)
    await vi.waitFor(() => expect(at.service.output()).toContain('no longer confirms'), 60_000)
    const paths = ['/api/audit', '/api/logs', '/api/config', '/api/login/methods', '/api/users', '/api/sessions']
    const shown = await Promise.all(paths.map(async (path) => (await admin.get(path)).text))
    expect(secrets([...replies, ...shown, at.service.output()].join('\n'), made)).toEqual([])
  })

  test('CWE-522: of the provider are not in the database as they are', async () => {
    at.provider.tokens = { refresh_token: refreshToken }
    await at.signedIn()
    const files = globSync(`${at.service.configDir}/**/*.db*`)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      expect(secrets(readFileSync(file, 'latin1'), [])).toEqual([])
    }
  })
})

describe('[OIDC-1] another provider', () => {
  test('RFC 9700 4.4: the response to a sign-in that began before is refused, its sessions are not accepted, and it gets no tokens', async () => {
    const there = await startFakeOidcService()
    const { state, nonce, cookie } = await there.begin()
    there.provider.tokens = { refresh_token: 'theirs' }
    const ann = await there.signedIn()
    expect((await ann.get('/api/profile')).status).toBe(200)
    await changeConfig(there.service, { auth: { oidc: fakeKeys(other) } })
    expect(outcomeOf(await there.callback({ code: nonce, state, iss: there.provider.issuer }, cookie))).toBe(
      'sign-in-expired',
    )
    expect((await ann.get('/api/profile')).status).toBe(401)
    await there.service.clock.advance(301_000)
    await there.service.clock.advance(4_000)
    // The discovery document is read, and no request has anything of the other provider.
    expect(other.requests.filter(({ path }) => path !== fakePaths.discovery)).toEqual([])
  })
})
