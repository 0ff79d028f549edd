import { expect, test } from 'vitest'
import type { RequestMeta } from '../../../shared/http/request-meta.ts'
import { createSecretBox } from '../../secret-box.ts'
import { createTestClock } from '../../../../test/support/test-clock.ts'
import { clearedSignInCookie, newSignInRequest, signInCookie, signInRequestIn } from './sign-in-request.ts'
import { randomBytes } from 'node:crypto'

const random = { bytes: (length: number) => randomBytes(length) }
const box = createSecretBox('a'.repeat(64), 'gatehouse sign-in request', random)
const client = { basePath: '/', encrypted: true }
const metaOf = (...cookies: readonly string[]) => ({ values: () => cookies }) as unknown as RequestMeta
const minute = 60_000

function begun() {
  const clock = createTestClock()
  const values = { issuer: 'https://id.lan', redirectUri: 'https://cams.lan/api/oidc/callback', returnTo: '/live' }
  const request = newSignInRequest(values, { clock, random })
  const cookie = signInCookie(request, client, box)
  return { clock, request, cookie, pair: cookie.split(';')[0]! }
}
const seal = (text: string, context = 'sign-in', by = box) => `__Host-gatehouse_sign_in=${by.seal(text, context)}`

test('[OIDC-1] the cookie is hidden from scripts, sent after a redirect of another site, and kept for ten minutes', () => {
  const { cookie } = begun()
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Max-Age=600']) expect(cookie.split('; ')).toContain(part)
})

const places = [
  [client, '__Host-gatehouse_sign_in', '; Path=/; HttpOnly; Secure;'],
  [{ ...client, basePath: '/cams/' }, '__Secure-gatehouse_sign_in', '; Path=/cams/api/oidc; HttpOnly; Secure;'],
  [{ ...client, encrypted: false }, 'gatehouse_sign_in', '; Path=/api/oidc; HttpOnly; SameSite'],
  [{ basePath: '/cams/', encrypted: false }, 'gatehouse_sign_in', '; Path=/cams/api/oidc; HttpOnly; SameSite'],
] as const

test.each(places)(
  '[OIDC-1] for %o the cookie is named %s, so that over TLS no plain HTTP and, with __Host-, no other host can set it, and is cleared where it was set',
  (of, name, attributes) => {
    const { clock, request } = begun()
    const cookie = signInCookie(request, of, box)
    expect(cookie.slice(0, name.length + 1)).toBe(`${name}=`)
    expect(cookie).toContain(attributes)
    const cleared = clearedSignInCookie(of)
    expect(cleared.startsWith(`${name}=; Max-Age=0`)).toBe(true)
    expect(cleared).toContain(attributes)
    const [pair = ''] = cookie.split(';')
    const found = places.map(([at]) => signInRequestIn(metaOf(pair), at, { box, clock }) !== undefined)
    expect(found).toEqual(places.map(([, other]) => other === name))
  },
)

test('[OIDC-1] state, nonce and verifier are 256 random bits each, and differ', () => {
  const { request } = begun()
  const secrets = [request.state, request.nonce, request.verifier, begun().request.state]
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  expect(new Set(secrets).size).toBe(4)
})

test.each<[what: string, cookies: (pair: string) => readonly string[], milliseconds: number, found: boolean]>([
  ['as it was set', (pair) => [pair], 0, true],
  [
    'among others',
    (pair) => [`a=b; ${pair} ; gatehouse_sign_in_2=x; gatehouse_sign_in=x; __Secure-gatehouse_sign_in=x`],
    0,
    true,
  ],
  ['twice', (pair) => [pair, `${pair}; ${pair}`], 0, true],
  ['just before ten minutes', (pair) => [pair], 10 * minute - 1, true],
  ['after ten minutes', (pair) => [pair], 10 * minute, false],
  ['with a clock that was set back', (pair) => [pair], -1, false],
  ['none', () => [], 0, false],
  ['an empty one', () => ['__Host-gatehouse_sign_in='], 0, false],
  ['beside another one', (pair) => [pair, '__Host-gatehouse_sign_in=x'], 0, false],
  ['under another name', (pair) => [pair.replace('sign_in', 'sign_In')], 0, false],
  ['with another version', (pair) => [pair.replace('=1.', '=2.')], 0, false],
  ['without its last characters', (pair) => [pair.slice(0, -4)], 0, false],
  ['sealed for something else', () => [seal('{"expiresAt":9e15}', 'other')], 0, false],
  [
    'sealed with another secret',
    () => [seal('{}', 'sign-in', createSecretBox('b'.repeat(64), 'gatehouse sign-in request', random))],
    0,
    false,
  ],
  [
    'sealed with a key for another purpose',
    () => [seal('{}', 'sign-in', createSecretBox('a'.repeat(64), 'gatehouse provider tokens', random))],
    0,
    false,
  ],
])('[OIDC-1] a request in the cookie: %s', (_, cookies, milliseconds, found) => {
  const { clock, request, pair } = begun()
  clock.setWallTime(clock.now() + milliseconds)
  expect(signInRequestIn(metaOf(...cookies(pair)), client, { box, clock })).toEqual(found ? request : undefined)
})
