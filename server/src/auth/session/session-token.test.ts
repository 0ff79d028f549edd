import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import type { Principal } from '../../access/identity.ts'
import type { SessionToken, Authentication } from '../../http/authentication.ts'
import { fakeAccountStore, withTestEntries } from '../../../test/support/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import { oidcKey } from '../../users/user-name.ts'
import type { User } from '../../users/user.ts'
import { createAccountCache } from '../account-cache.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { ActiveSession } from './sessions.ts'
import { systemClock } from '../../shared/time/clock.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { systemRandom } from '../../shared/random.ts'
import { createJwtCodec } from '../token/jwt-codec.ts'
import { createSessionTokens } from './session-token.ts'
import { createTokenIssuer } from './token-issuer.ts'
import { createKnownAddresses } from './known-addresses.ts'

const secret = 'a secret of at least sixty-four characters, äöü, and some more of it'
const start = 1_800_000_000_000
const day = 86_400

async function world() {
  let now = start
  let isFresh = true
  let isAccepted = true
  const settings = {
    session_length: day,
    session_max_length: null as number | null,
    cookie_name: 'gatehouse_token',
    mfa: { required_for: [] as string[], origins: [] },
  }
  const clock = { ...systemClock, now: () => now, elapsed: () => now }
  const store = fakeAccountStore()
  /** An instance of the service, on the same database. */
  const instance = () => {
    const accounts = createAccountCache({
      store,
      knownAddresses: createKnownAddresses([]),
      isFresh: () => isFresh,
      isClockTrusted: () => true,
      publish: (invalidation) => accounts.invalidate(invalidation),
      clock,
      random: systemRandom,
      log: silent,
    })
    const { users, sessions } = accounts
    const codec = createJwtCodec(secret)
    const issueToken = createTokenIssuer({ codec, sessions, settings: () => settings, clock })
    const tokens = createSessionTokens({
      codec,
      issueToken,
      users,
      sessions,
      settings: () => settings,
      isAccepted: () => isAccepted,
      clock,
    })
    return { ...tokens, issue: issueToken, accounts }
  }
  const { accounts, ...tokens } = instance()
  const begun = {
    address: '192.0.2.1',
    userAgent: '',
    confirmedAt: null,
    isSignIn: true,
    expiresAt: start + day * 1000,
  }
  const ann = newUser({ name: 'Ann', role: 'viewer', hash: 'hash', origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry, 0)
  now += 1500
  const active = (await accounts.sessions.begin(ann, begun, null)) as ActiveSession
  return {
    ...tokens,
    store: withTestEntries(store),
    rows: store.rows,
    acceptNoOne: () => void (isAccepted = false),
    reads: () => store.rows.reads,
    accounts,
    instance,
    settings,
    ann,
    active,
    token: tokens.issue(ann, active).token,
    pass: (seconds: number) => void (now += seconds * 1000),
    makeStale: () => void (isFresh = false),
    now: () => now,
  }
}
type World = Awaited<ReturnType<typeof world>>

const cookie = (token: string) => requestMeta({ cookie: `a=b; gatehouse_token=${token}; c=d` })
const bearer = (token: string) => requestMeta({ authorization: `Bearer ${token}` })
const nameOf = ({ identity }: Authentication) => (identity.kind === 'authenticated' ? identity.name : undefined)
const who = async (of: World, by: RequestMeta) => nameOf(await of.authenticate(by))

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signParts = (header: string, payload: string, key = secret, hash = 'sha256') => {
  const signed = `${header}.${payload}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}
const sign = (claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, key = secret, hash = 'sha256') =>
  signParts(base64(header), base64(claims), key, hash)
const seconds = start / 1000

describe('[TOK-1] a token', () => {
  test('is valid as a cookie and as bearer, and the scheme is case-insensitive', async () => {
    const at = await world()
    expect(await who(at, cookie(at.token))).toBe('Ann')
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR ']) {
      expect(await who(at, requestMeta({ authorization: `${scheme} ${at.token}` }))).toBe('Ann')
    }
  })

  test('[TOK-2] contains sub, role, iat and exp', async () => {
    const { token } = await world()
    expect(claimsOf(token)).toMatchObject({ sub: 'Ann', role: 'viewer', iat: seconds + 1, exp: seconds + 1 + day })
  })

  test('is never shared by two sessions, users or roles, even in the same second', async () => {
    const at = await world()
    const bob = { ...at.ann, id: 'bob', name: 'bob', key: 'bob' }
    const second = (await at.accounts.sessions.begin(
      at.ann,
      { address: '', userAgent: '', confirmedAt: null, isSignIn: true, expiresAt: 0 },
      null,
    )) as ActiveSession
    await at.store.addUser(bob)
    const foreign = async (sub: string) =>
      at.refresh(await at.authenticate(bearer(sign({ sub, iat: seconds + 1, exp: seconds + day })))) as SessionToken
    const tokens = [
      at.issue(at.ann, at.active),
      at.issue(at.ann, second),
      at.issue({ ...at.ann, role: 'admin' }, at.active),
      await foreign('Ann'),
      await foreign('bob'),
    ]
    expect(tokens.map(({ token }) => claimsOf(token))).toMatchObject([
      { sub: 'Ann', role: 'viewer', sid: at.active.session.id },
      { sub: 'Ann', role: 'viewer', sid: second.session.id },
      { sub: 'Ann', role: 'admin', sid: at.active.session.id },
      { sub: 'Ann', role: 'viewer', since: seconds + 1 },
      { sub: 'bob', role: 'viewer', since: seconds + 1 },
    ])
  })

  test('is the credential of its request: added by the browser, or not', async () => {
    const at = await world()
    expect((await at.authenticate(cookie(at.token))).ambient).toBe(true)
    expect((await at.authenticate(bearer(at.token))).ambient).toBe(false)
  })

  test('that is refused has a reason, and the name of its user if there is one', async () => {
    const at = await world()
    const refusedOf = async (by: RequestMeta) => (await at.authenticate(by)).refusedToken
    expect(await refusedOf(bearer('bad'))).toEqual({ reason: 'bad-token', user: null, ambient: false })
    expect(await refusedOf(cookie(sign({ sub: 'bob', iat: seconds + 1, exp: seconds + day })))).toEqual({
      reason: 'revoked-token',
      user: null,
      ambient: true,
    })
    await at.accounts.sessions.end(at.active.session.id, testEntry)
    expect(await refusedOf(bearer(at.token))).toEqual({
      reason: 'revoked-token',
      user: { name: 'Ann', authMethod: 'password' },
      ambient: false,
    })
  })

  test('that is missing clears nothing, and cannot be refreshed', async () => {
    const at = await world()
    for (const headers of [{}, { cookie: 'a=b' }, { authorization: 'Basic YTpi' }]) {
      const authentication = await at.authenticate(requestMeta(headers))
      expect([nameOf(authentication), authentication.clearCookie, authentication.refusedToken]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect(at.refresh(authentication)).toBeUndefined()
      expect(await at.validSession(requestMeta(headers))).toBeUndefined()
      expect(at.sessionIdsFrom(requestMeta(headers))).toEqual([])
    }
    expect((await at.validSession(cookie(at.token)))?.session.id).toBe(at.active.session.id)
  })

  test('is checked synchronously once it is cached', async () => {
    const at = await world()
    await at.authenticate(cookie(at.token))
    const reads = at.reads()
    expect(at.authenticate(cookie(at.token))).not.toBeInstanceOf(Promise)
    expect(at.reads()).toBe(reads)
  })
})

describe('a token that is cached', () => {
  test('is checked without the database, also one of another program', async () => {
    const at = await world()
    const foreign = bearer(sign({ sub: 'Ann', iat: seconds + 1, exp: seconds + day }))
    await at.authenticate(foreign)
    const reads = at.reads()
    expect(at.authenticate(foreign)).not.toBeInstanceOf(Promise)
    expect(at.reads()).toBe(reads)
  })

  test('waits for its session or its user if only one of them is cached', async () => {
    const at = await world()
    for (const invalidation of [
      { kind: 'session', id: at.active.session.id },
      { kind: 'user', key: 'ann' },
    ] as const) {
      await at.authenticate(cookie(at.token))
      at.accounts.invalidate(invalidation)
      expect(await who(at, cookie(at.token))).toBe('Ann')
    }
  })

  test('that is newer than the cached session is valid without another lookup', async () => {
    const at = await world()
    const newer = bearer(sign({ sub: 'Ann', iat: seconds + day, exp: seconds + 2 * day, sid: at.active.session.id }))
    await at.authenticate(newer)
    at.pass(day)
    expect(nameOf(at.authenticate(newer) as Authentication)).toBe('Ann')
  })

  test('is renewed again within the same second if its role or its length has changed', async () => {
    const at = await world()
    const first = at.issue(at.ann, at.active)
    expect(at.issue(at.ann, at.active)).toBe(first)
    at.settings.session_length = 60
    expect(at.issue(at.ann, at.active).maxAge).toBe(60)
  })

  test('[TOK-6] shows when its session was last used', async () => {
    const at = await world()
    at.pass(100)
    await at.authenticate(cookie(at.token))
    expect(((await at.accounts.sessions.find(at.active.session.id)) as ActiveSession).lastSeenAt).toBe(at.now())
  })
})

describe('[TOK-2] a token is rejected with', () => {
  const claims = { sub: 'Ann', iat: seconds + 1, exp: seconds + day }
  const good = sign(claims)
  const [head = '', body = '', signature = ''] = good.split('.')
  const none = `${base64({ alg: 'none' })}.${body}.`
  // The last base64 character of 32 bytes has two unused bits.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const twin = `${good.slice(0, -1)}${last[last.indexOf(good.at(-1) ?? '') ^ 1] ?? ''}`

  test('only a fault: the valid token is accepted', async () => {
    expect(await who(await world(), bearer(good))).toBe('Ann')
    for (const nbf of [seconds, seconds + 1.5]) {
      expect(await who(await world(), bearer(sign({ ...claims, nbf })))).toBe('Ann')
    }
  })

  test.each<[string, string]>([
    ['no signature', `${head}.${body}.`],
    ['alg none', none],
    ['another key', sign(claims, undefined, `${secret}!`)],
    ['HS512', sign(claims, { alg: 'HS512' }, secret, 'sha512')],
    ['HS512 in the header, an HS256 signature', sign(claims, { alg: 'HS512' })],
    ['alg in lower case', sign(claims, { alg: 'hs256' })],
    ['no alg', sign(claims, { typ: 'JWT' })],
    ['unused bits set', twin],
    ['padding', `${good}=`],
    ['padding of the payload, signed', signParts(head, `${body}=`)],
    ['white space', `${head}.${body}. ${signature}`],
    ['a fourth part', `${good}.`],
    ['standard base64', good.replaceAll('-', '+').replaceAll('_', '/').concat('+')],
    ...['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip'].map((field): [string, string] => [
      `a header with ${field}`,
      sign(claims, { alg: 'HS256', [field]: field === 'crit' ? ['exp'] : true }),
    ]),
    ['more than 4 KiB', sign({ ...claims, more: 'x'.repeat(4096) })],
    ['no sub', sign({ ...claims, sub: undefined })],
    ['an unknown sub', sign({ ...claims, sub: 'bob' })],
    ['a list as sub', sign({ ...claims, sub: ['Ann'] })],
    ['no exp', sign({ ...claims, exp: undefined })],
    ['exp as text', sign({ ...claims, exp: String(claims.exp) })],
    [
      'endless exp',
      signParts(head, Buffer.from(`{"sub":"Ann","iat":${claims.iat},"exp":1e999}`).toString('base64url')),
    ],
    ['no iat', sign({ ...claims, iat: undefined })],
    ['nbf in the future', sign({ ...claims, nbf: seconds + 100 })],
    ['nbf a moment ahead', sign({ ...claims, nbf: seconds + 1.6 })],
    ['nbf as text', sign({ ...claims, nbf: '0' })],
    ['an unknown session', sign({ ...claims, sid: '00' })],
    ['an empty session', sign({ ...claims, sid: '' })],
    ['a session that is null', sign({ ...claims, sid: null })],
    ['a list as payload', sign([claims])],
    ['nothing', ''],
    ['dots', '..'],
  ])('%s', async (_what, token) => {
    expect(await who(await world(), bearer(token))).toBeUndefined()
  })
})

describe('[TOK-12]', () => {
  test('a bad bearer token is unauthenticated even with a valid cookie, and other schemes are ignored', async () => {
    const at = await world()
    const both = (authorization: string | string[]) =>
      requestMeta({ authorization, cookie: `gatehouse_token=${at.token}` })
    expect(await who(at, both('Bearer bad'))).toBeUndefined()
    expect(await who(at, both('Bearer'))).toBeUndefined()
    expect(await who(at, both(`Bearer\t${at.token}`))).toBeUndefined()
    expect(await who(at, both('Basic YTpi'))).toBe('Ann')
    expect(await who(at, both('Bearerish x'))).toBe('Ann')
    expect(await who(at, both('Negotiate bearer x'))).toBe('Ann')
    expect(await who(at, both(['Basic YTpi', `Bearer ${at.token}`]))).toBeUndefined()
    expect(await who(at, both([`Bearer ${at.token}`, `Bearer ${at.token}`]))).toBe('Ann')
  })

  test('two different Authorization headers clear the session cookie alone', async () => {
    const at = await world()
    const sent = requestMeta({
      authorization: ['Basic YTpi', `Bearer ${at.token}`],
      cookie: `gatehouse_token=${at.token}`,
    })
    expect((await at.authenticate(sent)).clearCookie).toBe('alone')
  })

  test('two different session cookies are unauthenticated and are cleared', async () => {
    const at = await world()
    const one = `gatehouse_token=${at.token}`
    for (const sent of [[`${one}; gatehouse_token=x`], [one, 'gatehouse_token='], [`gatehouse_token=x; ${one}`]]) {
      const authentication = await at.authenticate(requestMeta({ cookie: sent }))
      expect([nameOf(authentication), authentication.clearCookie]).toEqual([undefined, 'with-site'])
    }
    expect(await who(at, requestMeta({ cookie: `${one}; ${one}` }))).toBe('Ann')
    expect(await who(at, requestMeta({ cookie: `gatehouse_tokenx; ${one}` }))).toBe('Ann')
    expect(await who(at, requestMeta({ cookie: `Gatehouse_Token=x; ${one}; xgatehouse_token=y` }))).toBe('Ann')
  })
})

describe('a session', () => {
  test('[TOK-3] an expired token is unauthenticated, without a grace period', async () => {
    const at = await world()
    at.pass(day - 1)
    expect(await who(at, bearer(at.token))).toBe('Ann')
    at.refresh(await at.authenticate(bearer(at.token)))
    at.pass(0.499)
    expect(await who(at, bearer(at.token))).toBe('Ann')
    at.pass(0.001)
    expect(await who(at, bearer(at.token))).toBeUndefined()
  })

  test('[TOK-4] is refreshed to its full length, by bearer token too', async () => {
    const at = await world()
    at.pass(100)
    const fresh = at.refresh(await at.authenticate(bearer(at.token))) as SessionToken
    expect(fresh.maxAge).toBe(day)
    expect(at.refresh(await at.authenticate(bearer(at.token)))).toBe(fresh)
    at.pass(day - 50)
    expect(await who(at, bearer(at.token))).toBeUndefined()
    expect(await who(at, bearer(fresh.token))).toBe('Ann')
  })

  test('[TOK-5] a cookie is renewed after half of its lifetime, a bearer token is not', async () => {
    const at = await world()
    const renewed = async (by: RequestMeta) => (await at.authenticate(by)).renewed?.maxAge
    at.pass(day / 2 - 0.501)
    expect(await renewed(cookie(at.token))).toBeUndefined()
    at.pass(0.001)
    expect(await renewed(cookie(at.token))).toBe(day)
    at.pass(0.5)
    expect(await renewed(bearer(at.token))).toBeUndefined()
    at.pass(day / 2)
    expect(await renewed(cookie(at.token))).toBeUndefined()
  })

  test('[TOK-6] ends for all its tokens, earlier and later ones', async () => {
    const at = await world()
    at.pass(10)
    const fresh = at.refresh(await at.authenticate(cookie(at.token))) as SessionToken
    const foreign = sign({ sub: 'Ann', iat: seconds + 1, exp: seconds + day })
    const tokens = [at.token, 'bad', foreign].map((token) => `gatehouse_token=${token}`)
    expect(at.sessionIdsFrom(requestMeta({ cookie: tokens.join('; ') }))).toEqual([at.active.session.id])
    at.pass(2 * day)
    expect(at.sessionIdsFrom(bearer(fresh.token))).toEqual([at.active.session.id])
    at.pass(-2 * day)
    await at.accounts.sessions.end(at.active.session.id, testEntry)
    expect(await who(at, cookie(at.token))).toBeUndefined()
    expect(await who(at, cookie(fresh.token))).toBeUndefined()
  })

  test('[TOK-7] ends with a new password, even in the same second', async () => {
    const at = await world()
    expect(await who(at, cookie(at.token))).toBe('Ann')
    await at.store.setPassword('ann', { hash: 'new', at: at.now(), origin: 'own' })
    at.accounts.invalidate({ kind: 'user', key: 'ann' })
    expect(await who(at, cookie(at.token))).toBeUndefined()
    expect(await who(at, bearer(at.token))).toBeUndefined()
  })

  test('[TOK-9] follows the role in the database, and does not return with a new user with the same name', async () => {
    const at = await world()
    await at.store.setRole('ann', 'admin')
    at.accounts.invalidate({ kind: 'user', key: 'ann' })
    expect(((await at.authenticate(cookie(at.token))).identity as Principal).role).toBe('admin')
    await at.store.addUser({ ...at.ann, id: 'root', key: 'root', role: 'admin' })
    await at.store.deleteUser('ann')
    at.accounts.invalidate({ kind: 'user', key: 'ann' })
    expect(await who(at, cookie(at.token))).toBeUndefined()
    await at.store.addUser({ ...at.ann, id: 'another', createdAt: at.now(), passwordSetAt: at.now() })
    expect(await who(at, cookie(at.token))).toBeUndefined()
  })

  test('[TOK-9] belongs only to its own user', async () => {
    const at = await world()
    await at.store.addUser({ ...at.ann, id: 'bob', name: 'bob', key: 'bob' })
    const sid = at.active.session.id
    expect(await who(at, bearer(sign({ sub: 'bob', iat: seconds + 2, exp: seconds + day, sid })))).toBeUndefined()
    expect(await who(at, bearer(sign({ sub: 'ann', iat: seconds + 2, exp: seconds + day, sid })))).toBe('Ann')
  })

  test('[TOK-10] of length 0 has expired at the next request', async () => {
    const at = await world()
    at.settings.session_length = 0
    const { token, maxAge } = at.issue(at.ann, at.active)
    expect(maxAge).toBe(0)
    expect(await who(at, bearer(token))).toBeUndefined()
  })

  test('[TOK-15] is not renewed beyond the max length', async () => {
    const at = await world()
    at.settings.session_max_length = day + 100
    at.pass(day - 10)
    const authentication = await at.authenticate(cookie(at.token))
    expect(authentication.renewed?.maxAge).toBe(110)
    at.pass(60)
    const late = await at.authenticate(cookie(authentication.renewed?.token ?? ''))
    expect([nameOf(late), late.renewed]).toEqual(['Ann', undefined])
    at.pass(50)
    expect(await who(at, cookie(authentication.renewed?.token ?? ''))).toBeUndefined()
  })

  test('[TOK-15] ends when the max length is set below its age', async () => {
    const at = await world()
    at.pass(200)
    at.settings.session_max_length = 201
    expect(await who(at, cookie(at.token))).toBe('Ann')
    const fresh = at.refresh(await at.authenticate(cookie(at.token))) as SessionToken
    at.settings.session_max_length = 200
    expect(await who(at, cookie(at.token))).toBeUndefined()
    expect(await who(at, cookie(fresh.token))).toBeUndefined()
  })

  test('is read from the database at every request while no changes are received', async () => {
    const at = await world()
    await at.authenticate(cookie(at.token))
    at.makeStale()
    await at.store.deleteSession(at.active.session.id)
    expect(await who(at, cookie(at.token))).toBeUndefined()
  })
})

describe('a stream', () => {
  test('is decided again without the database, and does not extend its session', async () => {
    const at = await world()
    const stream = await at.authenticate(cookie(at.token))
    at.pass(day / 2)
    const reads = at.reads()
    const again = stream.reauthenticate() as Authentication
    expect([nameOf(again), again.until, again.renewed]).toEqual(['Ann', stream.until, undefined])
    expect(at.reads()).toBe(reads)
  })

  test('of a cached session that has just expired looks for a renewal by another instance', async () => {
    const at = await world()
    const stream = await at.authenticate(cookie(at.token))
    await at.store.touch([{ id: at.active.session.id, lastSeenAt: start, expiresAt: start + 2 * day * 1000 }], start)
    at.pass(day - 0.5)
    expect(nameOf(await stream.reauthenticate())).toBe('Ann')
  })

  test('outlives its first token while the session is renewed, and ends with the session', async () => {
    const at = await world()
    const stream = await at.authenticate(cookie(at.token))
    at.pass(day / 2)
    at.refresh(await at.authenticate(cookie(at.token)))
    at.pass(day / 2)
    const later = await stream.reauthenticate()
    expect(nameOf(later)).toBe('Ann')
    expect(later.until).toBe(start + 1000 + 1.5 * day * 1000)
    at.pass(day / 2)
    expect(nameOf(await later.reauthenticate())).toBeUndefined()
  })

  test('continues if another instance renewed the session', async () => {
    const at = await world()
    const stream = await at.authenticate(cookie(at.token))
    at.pass(day / 2)
    await at.store.touch(
      [{ id: at.active.session.id, lastSeenAt: at.now(), expiresAt: at.now() + day * 1000 }],
      at.now(),
    )
    at.pass(day / 2 + 1)
    expect(nameOf(await stream.reauthenticate())).toBe('Ann')
  })

  test('ends with the session', async () => {
    const at = await world()
    const stream = await at.authenticate(cookie(at.token))
    await at.accounts.sessions.end(at.active.session.id, testEntry)
    expect(nameOf(await stream.reauthenticate())).toBeUndefined()
  })
})

describe('[TOK-14] a token issued by another program', () => {
  const signed = (more: object = {}) => sign({ sub: 'ANN', iat: seconds + 1, exp: seconds + day, ...more })

  test('is valid without a session, also after a refresh', async () => {
    const at = await world()
    const authentication = await at.authenticate(bearer(signed()))
    expect(authentication.identity).toMatchObject({ name: 'Ann', session: undefined })
    expect(authentication.until).toBe((seconds + day) * 1000)
    at.pass(10)
    const fresh = at.refresh(authentication) as SessionToken
    const again = await at.authenticate(bearer(fresh.token))
    expect(again.identity).toMatchObject({ name: 'Ann', session: undefined })
  })

  test.each([
    [seconds - 1, undefined],
    [seconds, undefined],
    [seconds + 0.9, undefined],
    [seconds + 1, 'Ann'],
    [seconds + 61, 'Ann'],
    [seconds + 61.5, 'Ann'],
    [seconds + 62, undefined],
  ])('with iat %d is compared to the password change in whole seconds', async (iat, name) => {
    expect(await who(await world(), bearer(signed({ iat })))).toBe(name)
  })

  test('[TOK-5] is renewed as a cookie to the length of a session, even if it would be valid for longer', async () => {
    const at = await world()
    const token = signed({ exp: seconds + 10 * day })
    at.pass(6 * day)
    expect((await at.authenticate(cookie(token))).renewed?.maxAge).toBe(day)
  })

  test('becomes invalid with the next password, and so does its refreshed token', async () => {
    const at = await world()
    const fresh = at.refresh(await at.authenticate(bearer(signed()))) as SessionToken
    // Even if the clock says that it was refreshed later.
    await at.store.setPassword('ann', { hash: 'new', at: start - 10_000, origin: 'own' })
    at.accounts.invalidate({ kind: 'user', key: 'ann' })
    expect(await who(at, bearer(fresh.token))).toBeUndefined()
  })

  test('[TOK-15] is not renewed beyond the maximum length', async () => {
    const at = await world()
    at.settings.session_max_length = day
    at.pass(day - 10)
    const fresh = at.refresh(await at.authenticate(bearer(signed()))) as SessionToken
    expect(fresh.maxAge).toBeLessThan(11)
  })

  test.each<[days: number, lengths: { session_length?: number; session_max_length?: number }, maxAge?: number]>([
    [10, {}, day],
    [10, { session_max_length: 1.5 * day }],
    [1.5, { session_max_length: 1.5 * day }, day / 2],
    [1.2, { session_max_length: 1.5 * day }, day / 2],
    [10, { session_length: 0 }],
  ])('[TOK-10] [TOK-15] of %d days is refreshed after one, with %j, for %s seconds', async (days, lengths, maxAge) => {
    const at = await world()
    Object.assign(at.settings, lengths)
    at.pass(day)
    expect(at.refresh(await at.authenticate(bearer(signed({ exp: seconds + 1 + days * day }))))?.maxAge).toBe(maxAge)
  })

  test('[TOK-15] that was refreshed ends with the maximum length, as a session does', async () => {
    const at = await world()
    const fresh = at.refresh(await at.authenticate(bearer(signed()))) as SessionToken
    at.settings.session_max_length = 100
    at.pass(99.4)
    expect(await who(at, bearer(fresh.token))).toBe('Ann')
    at.pass(0.1)
    expect(await who(at, bearer(fresh.token))).toBeUndefined()
  })

  test('[TOK-15] is valid until its own end, because it has no session, but is not renewed later than the maximum length', async () => {
    const at = await world()
    at.settings.session_max_length = day / 2
    at.pass(day - 10)
    const authentication = await at.authenticate(cookie(signed()))
    expect([authentication.identity.kind, authentication.until]).toEqual(['authenticated', (seconds + day) * 1000])
    expect([authentication.renewed, at.refresh(authentication)]).toEqual([undefined, undefined])
  })
})

/** Changes the row of a user, as another instance does. */
function change({ rows, accounts, ann }: World, more: Partial<User>): void {
  rows.users.set(ann.key, { ...ann, ...more })
  accounts.invalidate({ kind: 'user', key: ann.key })
}

const issuer = 'https://id.lan'
const hour = 3_600_000

/** A user of an identity provider, with a session that the provider has to confirm again after a minute or a later time. */
async function providerUser(at: World, recheckAfter = 60_000) {
  const key = oidcKey(issuer, 'ann')
  const recheckAt = at.now() + recheckAfter
  const user: User = { ...at.ann, id: 'other', key, provider: { issuer, subject: 'ann', recheckAt } }
  at.rows.users.set(key, user)
  const provider = { sid: null, token: '', idToken: '', recheckAt }
  const begun = {
    address: '',
    userAgent: '',
    confirmedAt: at.now(),
    isSignIn: true,
    expiresAt: start + day * 1000,
    provider,
  }
  const active = (await at.accounts.sessions.begin(user, begun, null)) as ActiveSession<Session>
  return { user, active, provider, limit: recheckAt + hour, token: at.issue(user, active).token }
}

describe('the user of a token', () => {
  test.each<[string, (at: World) => void]>([
    ['disabled', (at) => change(at, { disabled: true })],
    ['over', (at) => change(at, { expiresAt: start })],
    ['another one with the old name', (at) => change(at, { id: 'later' })],
    [
      'of a provider, and was not when the session began',
      (at) => change(at, { provider: { issuer, subject: 'ann', recheckAt: at.now() } }),
    ],
    ['not accepted by the configuration', (at) => at.acceptNoOne()],
  ])('[TOK-6] who is %s is not signed in', async (_what, happens) => {
    const at = await world()
    expect(await who(at, cookie(at.token))).toBe('Ann')
    happens(at)
    expect(await who(at, cookie(at.token))).toBeUndefined()
  })

  test('[TOK-6] is signed in until the end of the account', async () => {
    const at = await world()
    change(at, { expiresAt: start + 5000 })
    expect((await at.authenticate(cookie(at.token))).until).toBe(start + 5000)
  })

  test.each<[Partial<User>, requiredFor: string[], mustEnroll: boolean]>([
    [{}, ['admin', 'viewer'], true],
    [{ hasFactor: true }, ['viewer'], false],
    [{}, ['admin'], false],
    [{}, [], false],
  ])('[MFA-2] %j, with factors required for %j: has to set one up: %s', async (more, requiredFor, mustEnroll) => {
    const at = await world()
    at.settings.mfa.required_for = requiredFor
    change(at, more)
    expect((await at.authenticate(cookie(at.token))).identity).toMatchObject({ mustEnroll })
  })

  test('[MFA-4] confirmed the session when it says so; without a session, there is nothing to confirm', async () => {
    const at = await world()
    expect((await at.authenticate(cookie(at.token))).confirmed).toEqual({ at: null, hasFactor: false })
    change(at, { hasFactor: true })
    expect((await at.authenticate(cookie(at.token))).confirmed).toEqual({ at: null, hasFactor: true })
    const foreign = sign({ sub: 'Ann', iat: seconds + 1, exp: seconds + day })
    expect(await at.authenticate(cookie(foreign))).toMatchObject({
      identity: { kind: 'authenticated' },
      confirmed: undefined,
    })
  })
})

describe('[OIDC-3] a user of a provider', () => {
  test('is signed in until an hour after the provider should have confirmed it, and has no factor here', async () => {
    const at = await world()
    at.settings.mfa.required_for = ['viewer']
    const { user, token, limit } = await providerUser(at)
    const authentication = await at.authenticate(cookie(token))
    const identity = { kind: 'authenticated', authMethod: 'oidc', key: user.key, mustEnroll: false }
    expect(authentication).toMatchObject({ identity, until: limit, confirmed: undefined })
  })

  test('is not signed in by a session with a password', async () => {
    const at = await world()
    const { user, token } = await providerUser(at)
    at.rows.users.set(user.key, { ...user, provider: null })
    expect(await who(at, cookie(token))).toBeUndefined()
  })

  test('is not signed in by a token of another program, which says nothing about the provider', async () => {
    const at = await world()
    const { user } = await providerUser(at)
    expect(await who(at, bearer(sign({ sub: user.key, iat: seconds + 10, exp: seconds + day })))).toBeUndefined()
  })

  test('keeps a stream if another instance has asked the provider again', async () => {
    const at = await world()
    const { active, provider, token, limit } = await providerUser(at)
    const stream = await at.authenticate(cookie(token))
    at.rows.sessions.set(active.session.id, { ...active.session, provider: { ...provider, recheckAt: limit } })
    at.pass((limit - at.now()) / 1000)
    expect(nameOf(await stream.reauthenticate())).toBe('Ann')
  })
})

test('[TOK-8] a different secret invalidates all tokens', async () => {
  const at = await world()
  const other = createSessionTokens({
    isAccepted: () => true,
    codec: createJwtCodec(`${secret} `),
    issueToken: at.issue,
    users: at.accounts.users,
    sessions: at.accounts.sessions,
    settings: () => at.settings,
    clock: { now: at.now, elapsed: at.now },
  })
  expect(nameOf(await other.authenticate(bearer(at.token)))).toBeUndefined()
})

test('[TOK-3] a session’s token expires by the current session length, another program’s by its own exp', async () => {
  const at = await world()
  const claims = JSON.parse(Buffer.from(at.token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }
  const forged = sign({ ...claims, exp: claims.iat + 365 * day })
  const signed = sign({ sub: 'ann', iat: claims.iat + 2, exp: claims.iat + 365 * day })
  const status = () => Promise.all([at.token, forged, signed].map((token) => who(at, bearer(token))))
  at.pass(10)
  expect(await status()).toEqual(['Ann', 'Ann', 'Ann'])
  at.settings.session_length = 60
  at.pass(49)
  expect(await status()).toEqual(['Ann', 'Ann', 'Ann'])
  at.pass(1)
  expect(await status()).toEqual([undefined, undefined, 'Ann'])
})

const anns = async (at: World) => ({ token: at.token })
const isOpen = async (stream: Authentication) => nameOf(await stream.reauthenticate()) !== undefined

describe('[TOK-3] [CONF-5] an open stream, once the session length is shorter', () => {
  const [length, shorter] = [7 * day, 600]
  type Whose = (at: World) => Promise<{ readonly token: string }>
  const users: readonly [string, Whose][] = [
    ['a user of this service', anns],
    ['a user of a provider', (at) => providerUser(at, length * 1000)],
  ]
  const opened = async (whose: Whose) => {
    const at = await world()
    at.settings.session_length = length
    const { token } = await whose(at)
    return { at, token, stream: await at.authenticate(bearer(token)) }
  }
  test.each(users)('of %s ends by it, counted from the change, however often it is checked', async (_what, whose) => {
    const { at, token, stream } = await opened(whose)
    const other = await at.authenticate(bearer(token))
    at.pass(1_000)
    at.settings.session_length = shorter
    for (const seconds of [0, shorter / 2, shorter / 2 - 1]) {
      at.pass(seconds)
      expect([await isOpen(stream), await isOpen(other)]).toEqual([true, true])
    }
    at.pass(1)
    expect([await isOpen(stream), await isOpen(other)]).toEqual([false, false])
  })

  test.each(users)('of %s ends by it, also if the session is read again in between', async (_what, whose) => {
    const { at, stream } = await opened(whose)
    at.pass(1_000)
    at.settings.session_length = shorter
    for (const seconds of [0, shorter / 2, shorter / 2 - 1]) {
      at.pass(seconds)
      at.accounts.invalidate({ kind: 'all' })
      expect(await isOpen(stream)).toBe(true)
    }
    at.pass(1)
    at.accounts.invalidate({ kind: 'all' })
    expect(await isOpen(stream)).toBe(false)
  })

  test.each(users)('of %s ends by it, counted from the last request if that is later', async (_what, whose) => {
    const { at, token, stream } = await opened(whose)
    at.pass(100)
    at.settings.session_length = shorter
    expect(await isOpen(stream)).toBe(true)
    at.pass(150)
    const request = await at.authenticate(cookie(token))
    expect([nameOf(request), request.renewed]).toEqual(['Ann', undefined])
    at.pass(shorter - 1)
    expect(await isOpen(stream)).toBe(true)
    at.pass(1)
    expect(await isOpen(stream)).toBe(false)
  })

  test.each(users)('of %s goes on at every instance while one renews the session', async (_what, whose) => {
    const { at, token } = await opened(whose)
    const other = at.instance()
    const stream = await other.authenticate(bearer(token))
    at.pass(100)
    at.settings.session_length = shorter
    expect(await isOpen(stream)).toBe(true)
    let current = token
    let renewals = 0
    for (let seconds = 0; seconds < 10 * shorter; seconds += 30) {
      at.pass(30)
      const { identity, renewed } = await at.authenticate(cookie(current))
      expect(identity.kind).toBe('authenticated')
      if (renewed) renewals += 1
      current = renewed?.token ?? current
      // What is written at once is enough: the batch of each minute can be late.
      await new Promise(setImmediate)
      expect(await isOpen(stream)).toBe(true)
    }
    expect(renewals).toBeGreaterThan(10)
    await at.accounts.sessions.flush()
    at.pass(shorter - 60)
    expect(await isOpen(stream)).toBe(true)
    at.pass(60)
    expect(await isOpen(stream)).toBe(false)
  })

  test('goes on after a restart as long as the last request allows', async () => {
    const { at, token } = await opened(anns)
    at.pass(100)
    at.settings.session_length = shorter
    const restarted = at.instance()
    at.pass(400)
    const stream = await restarted.authenticate(bearer(token))
    at.pass(shorter - 1)
    expect(await isOpen(stream)).toBe(true)
    at.pass(1)
    expect(await isOpen(stream)).toBe(false)
  })

  test('ends when it would have without the change, if that is earlier, and not earlier for a longer length', async () => {
    const { at, stream } = await opened(anns)
    // Of the session, which began with a day.
    at.pass(day - 100)
    at.settings.session_length = 2 * length
    expect(await isOpen(stream)).toBe(true)
    at.settings.session_length = shorter
    at.pass(98)
    expect(await isOpen(stream)).toBe(true)
    at.pass(2)
    expect(await isOpen(stream)).toBe(false)
  })

  test('[TOK-6] a check of a stream isn’t a use of the session', async () => {
    const { at, stream } = await opened(anns)
    at.pass(300)
    expect(await isOpen(stream)).toBe(true)
    const [seen] = await at.accounts.sessions.ofUser(at.ann.id)
    expect(seen?.lastSeenAt).toBe(start + 1500)
  })
})
