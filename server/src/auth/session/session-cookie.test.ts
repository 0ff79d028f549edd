import { expect, test } from 'vitest'
import { clearedCookies, clearedAlongPath, sessionCookie, type CookieSettings } from './session-cookie.ts'

const lax: CookieSettings = { name: 'token', sameSite: 'lax' }
const none: CookieSettings = { name: 'token', sameSite: 'none' }
const client = { address: '', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const below = { ...client, basePath: '/cams/' }
const plain = { ...client, encrypted: false }
const token = { token: 'abc', maxAge: 60 }

test('[TOK-11] the cookie of a token follows the settings and the connection', () => {
  const first = 'token=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax'
  // The cookie of a token is cached: every variant is compared with the one before it.
  for (const [settings, of, cookie] of [
    [lax, client, first],
    [lax, client, first],
    [lax, plain, 'token=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax'],
    [lax, client, first],
    [lax, below, 'token=abc; Max-Age=60; Path=/cams; HttpOnly; Secure; SameSite=Lax'],
    [lax, client, first],
    [{ ...lax, name: 'other' }, client, 'other=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [lax, client, first],
    [none, client, 'token=abc; Max-Age=60; Path=/; HttpOnly; Secure; Partitioned; SameSite=None'],
    [{ ...lax, sameSite: 'strict' }, client, 'token=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict'],
  ] as const) {
    expect(sessionCookie(settings, token, of)).toBe(cookie)
  }
  expect(sessionCookie(lax, { token: 'def', maxAge: 60 }, client)).toContain('token=def')
})

const pathsOf = (cookies: readonly string[]) => cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])

test('[TOK-6] the cookie is cleared at the root and at the base path, partitioned and not', () => {
  expect(clearedCookies(lax, client)).toEqual(['token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'])
  expect(clearedCookies(lax, plain)).toEqual(['token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  expect(pathsOf(clearedCookies(lax, below))).toEqual(['/', '/cams'])
  expect(clearedCookies(none, client)).toEqual([
    'token=; Max-Age=0; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
    'token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=None',
  ])
})

test.each<[typeof client, string, string[]]>([
  [client, '/api/profile', ['/', '/api', '/api/', '/api/profile', '/api/profile/']],
  [below, '/api', ['/', '/cams', '/cams/', '/cams/api', '/cams/api/']],
  [client, '/a;b/c', ['/']],
  [client, '/a b', ['/']],
  [client, `/${'a'.repeat(198)}`, ['/', `/${'a'.repeat(198)}`, `/${'a'.repeat(198)}/`]],
  [client, `/${'a'.repeat(199)}`, ['/', `/${'a'.repeat(199)}`]],
  [
    client,
    '/1/2/3/4/5/6/7/8',
    [
      '/',
      ...[1, 2, 3, 4, 5, 6, 7].flatMap((end) => {
        const path = [1, 2, 3, 4, 5, 6, 7]
          .slice(0, end)
          .map((name) => `/${name}`)
          .join('')
        return [path, `${path}/`]
      }),
    ],
  ],
])('[TOK-12] every cookie that a browser sends to a path is cleared: %o, %s', (from, path, cleared) => {
  expect(pathsOf(clearedAlongPath(lax, from, path))).toEqual(cleared)
})
