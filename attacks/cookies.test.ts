/** Session cookies under other names, in other spellings, tossed by another program of the same host, or read back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { password, signIn, type SignedIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Headers } from '../server/test/support/test-client.ts'

const name = 'gatehouse_token'
const longest = 'n'.repeat(64)
let service: InProcessService
let vera: SignedIn
beforeAll(async () => {
  service = await startService({ config: { auth: { roles: { [longest]: ['yard'] } } } })
  await service.user('vera')
  vera = await signIn(service.gate, 'vera')
})
afterAll(stopAll)

const nbsp = '\u00a0'

describe('[TOK-1] [TOK-11] only the exact cookie signs in', () => {
  test.each<[source: string, what: string, cookie: (token: string) => string, status: 200 | 401]>([
    ['RFC 6265 5.4', 'alone', (token) => `${name}=${token}`, 200],
    ['RFC 6265 5.4', 'after another', (token) => `a=b; ${name}=${token}`, 200],
    ['RFC 9110 5.6.3', 'after a tab', (token) => `a=b;\t${name}=${token}`, 200],
    ['RFC 6265 4.1.1', 'after a non-breaking space', (token) => `a=b;${nbsp}${name}=${token}`, 401],
    ['RFC 6265 4.1.1', 'with a non-breaking space before the value', (token) => `${name}=${nbsp}${token}`, 401],
    ['RFC 6265 4.1.1', 'with another case', (token) => `Gatehouse_Token=${token}`, 401],
    ['RFC 6265 4.1.1', 'with a longer name', (token) => `${name}2=${token}; x${name}=${token}`, 401],
    ['RFC 6265 4.1.1', 'with a prefix', (token) => `__Host-${name}=${token}`, 401],
    ['ASVS 1.1.1', 'with an encoded name', (token) => `gatehouse%5ftoken=${token}`, 401],
    ['RFC 2109 4.3.4', 'with a version', (token) => `$Version=1, ${name}=${token}`, 401],
    ['RFC 2109 4.3.4', 'in a quoted value of another', (token) => `a="b; ${name}=${token}"`, 401],
    ['RFC 2109 4.3.4', 'in quotes', (token) => `${name}="${token}"`, 401],
    ['RFC 2109 4.3.4', 'after a comma', (token) => `a=b, ${name}=${token}`, 401],
    ['ASVS 1.1.1', 'encoded', (token) => `${name}=${token.replaceAll('.', '%2e')}`, 401],
    ['ASVS 1.1.1', 'after a nameless one', (token) => `=${name}=${token}`, 401],
    ['CVE-2026-25748', 'cut off', (token) => `${name}=${token.slice(0, -1)}`, 401],
    ['CVE-2026-25748', 'malformed', () => `${name}=%00%ff{}`, 401],
    ['CVE-2018-15727', 'the user’s name', () => `${name}=vera`, 401],
    ['CVE-2018-15727', 'an empty one', () => `${name}=`, 401],
  ])('%s: %s', async (_source, _what, cookie, status) => {
    for (const path of ['/api/profile', '/api/auth']) {
      const response = await service.gate.get(path, { cookie: cookie(vera.token) })
      expect([path, response.status]).toEqual([path, status === 200 && path === '/api/auth' ? 202 : status])
      if (status === 401) expect(response.headers).not.toHaveProperty('remote-user')
    }
  })
})

const bearers = (first: string, second: string): string[] => ['Authorization', first, 'Authorization', second]

describe('[TOK-12] a second cookie, set by another program of the host, signs no one in and locks no one out', () => {
  // A second Authorization header is no fault of a cookie: those of other programs stay.
  test.each<[source: string, what: string, headers: (token: string) => Headers, clearSiteData?: string]>([
    ['RFC 6265 8.6', 'before it', (token) => ({ cookie: `${name}=bad; ${name}=${token}` }), '"cookies"'],
    ['RFC 6265 8.6', 'after it', (token) => ({ cookie: `${name}=${token}; ${name}=bad` }), '"cookies"'],
    ['RFC 6265 8.6', 'an empty one', (token) => ({ cookie: `${name}=; ${name}=${token}` }), '"cookies"'],
    [
      'RFC 6265 8.6',
      'in another line',
      (token) => ['Cookie', `${name}=${token}`, 'Cookie', `${name}=bad`],
      '"cookies"',
    ],
    ['RFC 9110 5.3', 'or a second Authorization', (token) => bearers(`Bearer ${token}`, 'Bearer bad')],
    ['RFC 9110 5.3', 'or one of another scheme before it', (token) => bearers('Basic YTpi', `Bearer ${token}`)],
  ])('%s: %s', async (_source, _what, headers, clearSiteData) => {
    const response = await service.gate.get('/api/profile', headers(vera.token))
    expect([response.status, response.headers['clear-site-data']]).toEqual([401, clearSiteData])
    for (const cookie of response.cookies) expect(cookie).toMatch(/^gatehouse_token=; Max-Age=0; Path=[^;]+; HttpOnly;/)
    const paths = response.cookies.map((each) => /Path=([^;]*)/.exec(each)?.[1])
    expect(paths).toEqual(['/', '/api', '/api/', '/api/profile', '/api/profile/'])
    expect((await vera.get('/api/profile')).status).toBe(200)
  })

  test.each([
    ['RFC 6265 5.2', '/api/x;%20Domain=evil.example'],
    ['RFC 9110 5.5', '/api/%0d%0aSet-Cookie:%20a=b'],
    ['RFC 6265 5.2', '/api/x,y=z'],
    ['RFC 6265 6.1', `/api/${'x/'.repeat(500)}y`],
    ['RFC 6265 6.1', `/api/${'long'.repeat(2000)}`],
  ])('%s: the path %s puts nothing into the cookies that are cleared', async (_source, path) => {
    const response = await service.gate.get(path, { cookie: `${name}=a; ${name}=b` })
    expect(response.status).toBe(401)
    expect(response.cookies.length).toBeLessThan(20)
    for (const cookie of response.cookies) {
      expect(cookie).toMatch(/^gatehouse_token=; Max-Age=0; Path=\/[^;\s]*; HttpOnly; Secure; SameSite=Lax$/)
      expect(cookie.length).toBeLessThan(300)
    }
  })

  test('RFC 6265 8.6: the next login works, and sets one cookie', async () => {
    const again = await service.gate.post('/api/login', { user: 'vera', password }, { cookie: `${name}=x; ${name}=y` })
    expect([again.status, again.cookies.length]).toEqual([200, 1])
  })
})

describe('[TOK-11] the cookie itself', () => {
  test('ASVS 3.3.5: fits into 4096 bytes with the longest names', async () => {
    await service.internal.post('/api/users', { username: longest, password, role: longest })
    const response = await service.gate.post('/api/login', { user: longest, password })
    expect(response.status).toBe(200)
    expect(Buffer.byteLength(response.cookies.join().split(';', 1).join())).toBeLessThan(4096)
  })

  test('RFC 6265 8.6: has no domain, so that it is not sent to other hosts', async () => {
    const { cookies } = await service.gate.post('/api/login', { user: 'vera', password })
    expect(cookies[0]).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  test.each(['TRACE', 'TRACK', 'DEBUG', 'OPTIONS'])('CVE-2004-2320: %s does not send it back', async (method) => {
    for (const target of ['/', '/api/profile', '/api/login']) {
      const response = await rawRequest(vera, { method, target, headers: ['X-Own: also this'] })
      expect(response.head + response.body).not.toContain(vera.token)
      expect(response.head + response.body).not.toContain('also this')
    }
  })
})
