/** Session tokens that are forged, confused, replayed or put where no token belongs. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Headers } from '../server/test/support/test-client.ts'

const secret = 'a secret known to the tests, and as long as a secret has to be: 64 characters or more'
let service: InProcessService
/** The certificate of the gate, which anyone can read. */
let certificate: string
/** A valid session token of the viewer vera, and one of the admin boss. */
let vera: string
let boss: string

beforeAll(async () => {
  service = await startService({ env: { SERVICE_JWT_SECRET: secret } })
  certificate = readFileSync(join(service.configDir, 'tls/server.crt'), 'utf8')
  await Promise.all([service.user('vera'), service.user('boss', 'admin')])
  ;[vera, boss] = [(await signIn(service.gate, 'vera')).token, (await signIn(service.gate, 'boss')).token]
  // A token of another program has to be issued after the second in which the password was set.
  await service.clock.advance(1010)
})
afterAll(stopAll)

type Claims = Readonly<Record<string, unknown>>

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const partOf = (token: string, at: number): string => token.split('.')[at] ?? ''
const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(partOf(token, 1), 'base64url').toString()) as Claims
/** Whole seconds of the service's clock. */
const now = (): number => Math.floor(service.clock.now() / 1000)
const plain = (): Claims => ({ sub: 'boss', iat: now(), exp: now() + 100 })

/** A token with these parts, and the signature that its key and hash give. */
function sign(claims: unknown, header: unknown = { alg: 'HS256' }, key: string | Buffer = secret, hash = 'sha256') {
  const signed = `${base64(header)}.${base64(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** The status with the token as a bearer token, and in the cookie. */
async function statusesWith(token: string): Promise<number[]> {
  const sent: Headers[] = [{ authorization: `Bearer ${token}` }, { cookie: `gatehouse_token=${token}` }]
  return Promise.all(sent.map(async (headers) => (await service.gate.get('/api/users', headers)).status))
}

const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'))

/** The same bytes in other letters: 43 of them have two bits more than the 32 bytes of the signature. */
function withUnusedBits(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + letters[letters.indexOf(token.slice(-1)) + 1]
}

test('[TOK-2] the table is about the tokens: an untouched one is accepted, as is one that another program signed', async () => {
  expect(await statusesWith(boss)).toEqual([200, 200])
  expect(await statusesWith(sign(plain()))).toEqual([200, 200])
})

describe('[TOK-2] a forged token is 401', () => {
  const weak = { alg: 'HS256', typ: 'JWT' }
  test.each<[source: string, attack: string, forge: () => string]>([
    ['CVE-2022-23540', 'no algorithm, no signature', () => `${base64({ alg: 'none' })}.${base64(plain())}.`],
    ['CVE-2022-23540', 'no algorithm in another case', () => `${base64({ alg: 'nOnE' })}.${base64(plain())}.`],
    ['CVE-2022-23540', 'no algorithm, a right signature', () => sign(plain(), { alg: 'none' })],
    ['CVE-2022-23540', 'an empty algorithm', () => sign(plain(), { alg: '' })],
    ['CVE-2022-23540', 'no header', () => sign(plain(), '')],
    ['RFC 8725 3.1', 'a signature that was removed', () => `${boss.slice(0, boss.lastIndexOf('.'))}.`],
    ['RFC 8725 3.1', 'a signature of zeros', () => boss.replace(/[^.]+$/, base64('\0'.repeat(32)))],
    ['CVE-2023-48223', 'the certificate as the key', () => sign(plain(), weak, certificate)],
    ['CVE-2023-48223', 'the certificate as the key of RS256', () => sign(plain(), { alg: 'RS256' }, certificate)],
    ['CVE-2026-34950', 'HS256 with a leading space', () => sign(plain(), { alg: ' HS256' })],
    ['CVE-2026-22817', 'HS384, well signed', () => sign(plain(), { alg: 'HS384' }, secret, 'sha384')],
    ['CVE-2026-22818', 'HS512, well signed', () => sign(plain(), { alg: 'HS512' }, secret, 'sha512')],
    ['RFC 8725 3.2', 'HS512 in the header, an HS256 signature', () => sign(plain(), { alg: 'HS512' })],
    ['RFC 8725 3.2', 'the algorithm in lower case', () => sign(plain(), { alg: 'hs256' })],
    ['RFC 8725 3.2', 'the algorithm as a list', () => sign(plain(), { alg: ['HS256'] })],
    ['CVE-2018-0114', 'its own key', () => sign(plain(), { alg: 'HS256', jwk: { kty: 'oct', k: base64('k') } }, 'k')],
    ['RFC 8725 3.10', 'the URL of its key', () => sign(plain(), { alg: 'HS256', jku: 'https://evil.example' })],
    ['RFC 8725 3.10', 'the URL of its certificate', () => sign(plain(), { alg: 'HS256', x5u: 'https://evil.example' })],
    ['RFC 8725 3.10', 'its certificate', () => sign(plain(), { alg: 'HS256', x5c: [base64('x')] })],
    ['jwt_tool', 'the name of an empty file as its key', () => sign(plain(), { ...weak, kid: '../../dev/null' }, '')],
    ['CVE-2026-35042', 'an unknown critical field', () => sign(plain(), { alg: 'HS256', crit: ['x'], x: 1 })],
    ['RFC 7797', 'a payload that is not encoded', () => sign(plain(), { alg: 'HS256', b64: false, crit: ['b64'] })],
    ['RFC 7516 4.1.3', 'a compressed payload', () => sign(plain(), { alg: 'HS256', zip: 'DEF' })],
    ['RFC 7516', 'the five parts of an encrypted token', () => `${sign(plain())}.${base64('x')}.${base64('y')}`],
    ['RFC 7515 7.2', 'its JSON form', () => JSON.stringify({ protected: base64(weak), payload: base64(plain()) })],
    ['RFC 7515 2', 'padding', () => `${boss}=`],
    ['RFC 7515 2', 'white space', () => boss.replaceAll('.', '. ')],
    ['RFC 7515 2', 'unused bits of the signature', () => withUnusedBits(boss)],
    ['CVE-2026-35039', 'the signature of another valid token', () => `${signedPart(boss)}.${partOf(vera, 2)}`],
    ['CVE-2026-35039', 'the claims of another valid token', () => vera.replace(partOf(vera, 1), partOf(boss, 1))],
    [
      'ASVS 9.1.1',
      'its role changed',
      () => vera.replace(partOf(vera, 1), base64({ ...claimsOf(vera), role: 'admin' })),
    ],
    ['jwt_tool', 'an empty key', () => sign(plain(), weak, '')],
    ['jwt_tool', 'a usual key', () => sign(plain(), weak, 'secret')],
    ['RFC 8725 3.5', 'the name of the secret', () => sign(plain(), weak, '{SERVICE_JWT_SECRET}')],
    ['RFC 8725 3.5', 'the secret, decoded as Base64', () => sign(plain(), weak, Buffer.from(secret, 'base64'))],
    ['ASVS 9.1.1', 'a token of 4 KiB', () => sign({ ...plain(), more: 'x'.repeat(4096) })],
  ])('%s: %s', async (_source, _attack, forge) => {
    expect(await statusesWith(forge())).toEqual([401, 401])
  })
})

describe('[TOK-2] [TOK-14] a token with other claims, though signed with the secret, is 401', () => {
  test.each<[source: string, attack: string, claims: () => unknown, header?: Claims]>([
    ['ASVS 9.2.1', 'an expiry that has passed', () => ({ ...plain(), exp: now() })],
    ['ASVS 9.2.1', 'no expiry', () => ({ ...plain(), exp: undefined })],
    ['ASVS 9.2.1', 'an expiry as text', () => ({ ...plain(), exp: String(now() + 100) })],
    ['ASVS 9.2.1', 'an expiry beyond all numbers', () => `{"sub":"boss","iat":${now()},"exp":1e999}`],
    ['ASVS 9.2.1', 'an expiry beyond all dates', () => ({ ...plain(), exp: 1e15 })],
    ['ASVS 9.2.1', 'not valid before tomorrow', () => ({ ...plain(), nbf: now() + 86_400 })],
    ['ASVS 9.2.1', 'not valid before, as text', () => ({ ...plain(), nbf: '0' })],
    ['RFC 7519 4.1.6', 'no time of issue', () => ({ ...plain(), iat: undefined })],
    ['RFC 7519 4.1.6', 'issued in an hour', () => ({ ...plain(), iat: now() + 3600 })],
    ['ASVS 9.2.2', 'the type of another kind of token', () => plain(), { typ: 'at+jwt' }],
    ['ASVS 9.2.2', 'an empty type', () => plain(), { typ: '' }],
    ['ASVS 9.2.2', 'a type that isn’t text', () => plain(), { typ: 1 }],
    ['ASVS 9.2.3', 'another issuer', () => ({ ...plain(), iss: 'other' })],
    ['ASVS 9.2.3', 'null as issuer', () => ({ ...plain(), iss: null })],
    ['ASVS 9.2.3', 'another audience', () => ({ ...plain(), aud: 'other' })],
    ['ASVS 9.2.3', 'another audience in a list', () => ({ ...plain(), aud: ['other'] })],
    ['ASVS 9.2.3', 'an audience without a name', () => ({ ...plain(), aud: [] })],
    ['ASVS 9.2.3', 'an audience that isn’t text', () => ({ ...plain(), aud: 1 })],
    ['CVE-2026-35041', 'an audience that is slow to match', () => ({ ...plain(), aud: `${'a'.repeat(2000)}!` })],
    ['ASVS 15.3.6', 'the name of an object’s property', () => ({ ...plain(), sub: '__proto__' })],
    ['ASVS 15.3.6', 'claims in the prototype', () => `{"__proto__":${JSON.stringify(plain())}}`],
    ['ASVS 15.3.5', 'a list of users', () => ({ ...plain(), sub: ['boss'] })],
    ['ASVS 15.3.5', 'a list of claims', () => [plain()]],
    ['ASVS 6.8.1', 'the user of the internal port', () => ({ ...plain(), sub: 'anonymous' })],
    ['ASVS 8.2.2', 'the session of another user', () => ({ ...claimsOf(vera), sub: 'boss' })],
    ['ASVS 7.2.1', 'an unknown session', () => ({ ...plain(), sid: '0'.repeat(32) })],
    ['ASVS 7.2.1', 'null as session', () => ({ ...plain(), sid: null })],
  ])('%s: %s', async (_source, _attack, claims, header) => {
    expect(await statusesWith(sign(claims(), { alg: 'HS256', ...header }))).toEqual([401, 401])
  })

  test.each<[allowed: string, claims: Claims, header?: Claims]>([
    ['its own issuer', { iss: 'gatehouse' }],
    ['its own audience', { aud: 'gatehouse' }],
    ['its own audience among others', { aud: ['other', 'gatehouse'] }],
    ['its own type in lower case', {}, { typ: 'jwt' }],
    ['no type', {}, {}],
  ])('but %s is accepted', async (_allowed, claims, header) => {
    expect(await statusesWith(sign({ ...plain(), ...claims }, { alg: 'HS256', ...header }))).toEqual([200, 200])
  })

  test('[ROLE-8] CVE-2026-33124: a role in a signed token changes nothing', async () => {
    expect(await statusesWith(sign({ ...claimsOf(vera), role: 'admin' }))).toEqual([403, 403])
  })
})

describe('[TOK-1] [TOK-12] a valid token where no token belongs is 401', () => {
  test.each<[source: string, place: string, request: () => readonly [path: string, headers?: Headers]]>([
    [
      'CVE-2017-7921',
      'in the query',
      () => [`/api/profile?token=${boss}&access_token=${boss}&gatehouse_token=${boss}`],
    ],
    ['CVE-2017-7921', 'in the query, as Basic credentials', () => [`/api/profile?auth=${btoa(`boss:${boss}`)}`]],
    ['RFC 6750 2.3', 'in the path', () => [`/api/profile;token=${boss}`]],
    ['CVE-2026-0707', 'after a tab', () => ['/api/profile', { authorization: `Bearer\t${boss}` }]],
    ['CVE-2026-0707', 'after a colon', () => ['/api/profile', { authorization: `Bearer: ${boss}` }]],
    ['CVE-2026-0707', 'without a space', () => ['/api/profile', { authorization: `Bearer${boss}` }]],
    ['CVE-2026-0707', 'in quotes', () => ['/api/profile', { authorization: `Bearer "${boss}"` }]],
    ['CVE-2026-0707', 'in a list', () => ['/api/profile', { authorization: `Bearer ${boss}, Bearer ${boss}` }]],
    ['CVE-2026-0707', 'with a parameter', () => ['/api/profile', { authorization: `Bearer ${boss} x=y` }]],
    ['RFC 7617', 'as a password', () => ['/api/profile', { authorization: `Basic ${btoa(`boss:${boss}`)}` }]],
    ['RFC 7235 4.4', 'for a proxy', () => ['/api/profile', { 'proxy-authorization': `Bearer ${boss}` }]],
    ['RFC 6750 2', 'under another scheme', () => ['/api/profile', { authorization: `Token ${boss}` }]],
    ['RFC 6750 2', 'in another header', () => ['/api/profile', { 'x-auth-token': boss, 'x-access-token': boss }]],
    ['RFC 6455 1.9', 'as a subprotocol', () => ['/api/profile', { 'sec-websocket-protocol': `bearer, ${boss}` }]],
  ])('%s: %s', async (_source, _place, request) => {
    const [path, headers] = request()
    const response = await service.gate.get(path, headers)
    expect([response.status, response.cookies]).toEqual([401, []])
  })
})
