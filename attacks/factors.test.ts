/** Second factors that are guessed, replayed, borrowed from another user, or got around. */
import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator, type Claims } from '../server/test/support/authenticator.ts'
import {
  addPasskey,
  addTotp,
  codeOf,
  deviceCookieOf,
  login,
  named,
  nextCode,
  pass,
  secondFactor,
  ticketOf,
  type TotpApp,
} from '../server/test/support/second-factor.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

// Of WebAuthn, the sections and steps of Level 3.

let service: InProcessService
let ann: TestClient
let bob: TestClient
beforeEach(async () => {
  const auth = { failed_login_rate_limit: null, trusted_proxies: ['127.0.0.1'] }
  service = await startService({ config: { tls: { enabled: false }, auth } })
  ann = await service.user('ann')
  bob = await service.user('bob')
})

const statusOf = async (proof: object, user = 'ann', at = service.gate) =>
  (await secondFactor(at, await ticketOf(at, user), proof)).status
const last = (): string => codeOf(app.secret, service.clock.now() - 30_000)
let app: TotpApp

describe('[MFA-1] a code of the authenticator app', () => {
  beforeEach(async () => {
    app = await addTotp(service, ann)
  })

  test.each<[source: string, attack: string, code: () => string]>([
    ['RFC 6238 5.2', 'the one that set it up', () => last()],
    ['RFC 6238 5.2', 'of two steps ago', () => codeOf(app.secret, service.clock.now() - 60_000)],
    ['RFC 6238 6', 'of two steps ahead', () => app.code(2)],
    ['ASVS 2.2.1', 'none', () => ''],
    ['ASVS 2.2.1', 'with a sign', () => `+${app.code().slice(1)}`],
    [
      'ASVS 2.2.1',
      'with other digits',
      () => app.code().replaceAll(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit))),
    ],
    ['ASVS 2.2.1', 'with a letter after it', () => `${app.code()}x`],
    ['ASVS 2.2.1', 'that is the secret', () => app.secret],
    ['ASVS 6.3.3', 'that is the password', () => password],
  ])('%s: %s is refused', async (_source, _attack, code) => {
    expect(await statusOf({ code: code() })).toBe(401)
  })

  test('RFC 6238 5.2: is accepted once, in its step and in the next', async () => {
    const code = app.code()
    expect(await statusOf({ code })).toBe(200)
    expect(await statusOf({ code })).toBe(401)
    nextCode(service)
    expect(await statusOf({ code })).toBe(401)
    expect(await statusOf({ code: app.code() })).toBe(200)
  })

  test('RFC 6238 5.2: is accepted once of eight sign-ins at the same time', async () => {
    const tickets = await Promise.all(Array.from({ length: 8 }, () => ticketOf(service.gate, 'ann')))
    const replies = await Promise.all(tickets.map((ticket) => secondFactor(service.gate, ticket, { code: app.code() })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('RFC 4226 7.3: cannot be guessed from many addresses, and a recovery code still works', async () => {
    const guess = async (at: number) => {
      const from = service.gate.with({ 'x-forwarded-for': `198.51.100.${at}` })
      return statusOf({ code: '000000' }, 'ann', from)
    }
    const guesses: number[] = []
    for (let at = 1; at <= 8; at += 1) guesses.push(await guess(at))
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect(await statusOf({ code: app.code() })).toBe(429)
    expect(await statusOf({ code: app.recoveryCodes[0] })).toBe(200)
    pass(service, 60_000)
    expect(await statusOf({ code: app.code() })).toBe(200)
  })

  test('ASVS 6.3.3: of another user is refused, and so is a passkey of another user', async () => {
    const other = await addTotp(service, bob)
    const passkey = await addPasskey(bob)
    expect(await statusOf({ code: other.code() })).toBe(401)
    expect(await statusOf({ code: other.recoveryCodes[0] })).toBe(401)
    const here = named(service.gate)
    const ticket = await ticketOf(here, 'ann')
    const options = (await here.post('/api/login/passkey/options', { ticket })).json
    expect((await secondFactor(here, ticket, { assertion: passkey.get(options) })).status).toBe(401)
  })
})

describe('[MFA-3] the ticket of a sign-in', () => {
  beforeEach(async () => {
    app = await addTotp(service, ann)
  })

  test('CWE-294: works once', async () => {
    const ticket = await ticketOf(service.gate, 'ann')
    expect((await secondFactor(service.gate, ticket, { code: app.code() })).status).toBe(200)
    nextCode(service)
    expect((await secondFactor(service.gate, ticket, { code: app.code() })).status).toBe(401)
  })

  test('CWE-362: with six recovery codes at the same time uses up one of them', async () => {
    const ticket = await ticketOf(service.gate, 'ann')
    const codes = app.recoveryCodes.slice(0, 6)
    const replies = await Promise.all(codes.map((code) => secondFactor(service.gate, ticket, { code })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = codes.filter((_, at) => replies[at]?.status !== 200)
    for (const code of left) expect(await statusOf({ code })).toBe(200)
  })

  test('ASVS 7.4.2, ASVS 7.4.3: ends with a new password and with the user', async () => {
    const ticket = await ticketOf(service.gate, 'ann')
    await service.internal.put('/api/users/ann/password', { password: 'another correct horse battery' })
    expect((await secondFactor(service.gate, ticket, { code: app.code() })).status).toBe(401)
    const next = await ticketOf(service.gate, 'ann', 'another correct horse battery')
    await service.internal.put('/api/users/ann/status', { disabled: true })
    nextCode(service)
    expect((await secondFactor(service.gate, next, { code: app.code() })).status).toBe(401)
  })

  test.each<[source: string, attack: string, change: (ticket: string, bobs: string) => string]>([
    ['ASVS 9.1.1', 'with the name of another user', (ticket, bobs) => `${bobs.split('.')[0]}.${ticket.split('.')[1]}`],
    ['ASVS 9.1.1', 'with another signature', (ticket) => `${ticket.slice(0, -4)}AAAA`],
    ['ASVS 9.1.1', 'without a signature', (ticket) => ticket.split('.')[0] ?? ''],
    ['RFC 4648 3.2', 'with padding', (ticket) => `${ticket}=`],
    ['ASVS 9.1.1', 'that is empty', () => ''],
  ])('%s: %s is refused', async (_source, _attack, change) => {
    await addTotp(service, bob)
    const ticket = change(await ticketOf(service.gate, 'ann'), await ticketOf(service.gate, 'bob'))
    expect((await secondFactor(service.gate, ticket, { code: app.code() })).status).toBe(401)
  })

  test('ASVS 9.2.2: does not count as a session', async () => {
    const ticket = await ticketOf(service.gate, 'ann')
    for (const headers of [{ cookie: `gatehouse_token=${ticket}` }, { authorization: `Bearer ${ticket}` }]) {
      expect((await service.gate.get('/api/profile', headers)).status).toBe(401)
    }
  })

  test('ASVS 6.3.8: shows nothing about a user whose password is wrong', async () => {
    const known = await login(service.gate, 'ann', 'wrong')
    const unknown = await login(service.gate, 'unknown', 'wrong')
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
  })
})

const creationOptions = async (client: TestClient) => (await client.post('/api/account/passkeys/options')).json

describe('[MFA-1] the assertion of a passkey', () => {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  test.each<[source: string, attack: string, claims: Partial<Claims>]>([
    ['WebAuthn 7.2 (12)', 'of another site', { origin: 'http://evil.example' }],
    ['WebAuthn 7.2 (12)', 'of another port', { origin: 'http://localhost:1' }],
    ['WebAuthn 7.2 (15)', 'for another relying party', { rpId: 'evil.example' }],
    ['WebAuthn 7.2 (11)', 'for its own challenge', { challenge: 'AAAA' }],
    ['WebAuthn 7.2 (10)', 'that creates one', { type: 'webauthn.create' }],
    ['WebAuthn 7.2 (17)', 'without user verification', { userVerified: false }],
    ['WebAuthn 7.2 (22)', 'whose counter went back', { counter: 1 }],
    ['WebAuthn 7.2 (21)', 'signed by another key', { key }],
    ['WebAuthn 7.2 (6)', 'for another user', { userHandle: Buffer.from('someone').toString('base64url') }],
  ])('%s: %s is refused', async (_source, _attack, claims) => {
    const passkey = await addPasskey(ann)
    const here = named(service.gate)
    const options = async () => (await here.post('/api/login/passkey/options', {})).json
    const attempt = async (more?: Partial<Claims>) =>
      (await here.post('/api/login/passkey', { assertion: passkey.get(await options(), more) })).status
    expect(await attempt()).toBe(200)
    expect(await attempt(claims)).toBe(401)
    expect(await attempt({ counter: 50 })).toBe(200)
  })

  test('WebAuthn 13.4.3: is accepted once, for five minutes, and for what it was asked for', async () => {
    const passkey = await addPasskey(ann)
    const here = named(service.gate)
    const ask = async (path: string, body: object, at = here) => (await at.post(path, body)).json
    const send = async (assertion: object) => (await here.post('/api/login/passkey', { assertion })).status
    const assertion = passkey.get(await ask('/api/login/passkey/options', {}))
    expect(await send(assertion)).toBe(200)
    expect(await send(assertion)).toBe(401)
    expect(await send(passkey.get(await ask('/api/account/confirm/options', {}, named(ann))))).toBe(401)
    const ticket = await ticketOf(here, 'ann')
    expect(await send(passkey.get(await ask('/api/login/passkey/options', { ticket })))).toBe(401)
    const late = await ask('/api/login/passkey/options', {})
    pass(service, 5 * 60_000)
    expect(await send(passkey.get(late))).toBe(401)
  })

  test('WebAuthn 7.1: a credential for another session, site or without user verification is not added', async () => {
    const at = named(ann)
    const credential = createAuthenticator(`http://localhost:${service.gatePort}`)
    for (const created of [
      credential.create(await creationOptions(named(bob))),
      credential.create(await creationOptions(at), { origin: 'http://evil.example' }),
      credential.create(await creationOptions(at), { rpId: 'evil.example' }),
      credential.create(await creationOptions(at), { userVerified: false }),
      credential.create(await creationOptions(at), { challenge: 'AAAA' }),
    ]) {
      expect((await at.post('/api/account/passkeys', { name: 'x', credential: created })).status).toBe(400)
    }
    expect((await ann.get('/api/account/factors')).json).toMatchObject({ passkeys: [] })
  })

  test.each<[source: string, what: string, name: string]>([
    ['CWE-158', 'with a NUL', 'Pho\0ne'],
    ['CWE-150', 'with a control character', 'Phone\u001b[2J'],
    ['CWE-451', 'that changes the direction', 'Phone\u202eenohP'],
    ['CWE-20', 'of spaces', '   '],
  ])('%s: a name %s is refused, also later', async (_source, _what, name) => {
    const at = named(ann)
    const credential = createAuthenticator(`http://localhost:${service.gatePort}`).create(await creationOptions(at))
    expect((await at.post('/api/account/passkeys', { name, credential })).status).toBe(400)
    expect((await at.post('/api/account/passkeys', { name: 'Phone', credential })).status).toBe(201)
    const { passkeys } = (await at.get('/api/account/factors')).json as { passkeys: { id: string }[] }
    const path = `/api/account/passkeys/${passkeys[0]!.id}`
    expect((await at.request('PATCH', path, { body: { name } })).status).toBe(400)
    expect((await at.get('/api/account/factors')).json).toMatchObject({ passkeys: [{ name: 'Phone' }] })
  })

  test('ASVS 6.3.4: a user with a passkey alone cannot use a weaker factor instead', async () => {
    await addPasskey(ann)
    for (const code of ['000000', password, '']) expect(await statusOf({ code })).toBe(401)
  })
})

describe('[MFA-5] a remembered device', () => {
  test('CVE-2018-15727, ASVS 6.5.6: of another user, or from before a reset, does not replace the second factor', async () => {
    const [one, two] = [await addTotp(service, ann), await addTotp(service, bob)]
    const reply = await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), {
      code: one.code(),
      remember: true,
    })
    const device = service.gate.with({ cookie: deviceCookieOf(reply) })
    expect((await login(device, 'ann')).status).toBe(200)
    expect((await login(device, 'bob')).status).toBe(401)
    expect((await login(device, 'ann', 'wrong')).json).toMatchObject({ code: 'login-failed' })
    expect(two.secret).not.toBe(one.secret)
    await service.internal.delete('/api/users/ann/factors')
    const again = service.gate.with({
      cookie: `gatehouse_token=${(await login(service.gate, 'ann')).cookies[0]?.split(/[=;]/)[1]}`,
    })
    await addTotp(service, again)
    expect((await login(device, 'ann')).status).toBe(401)
  })
})

test('[MFA-3] ASVS 7.2.4: a session that the browser had before the sign-in is not continued', async () => {
  app = await addTotp(service, ann)
  const ticket = await ticketOf(service.gate, 'ann')
  const reply = await secondFactor(bob, ticket, { code: app.code() })
  expect(reply.status).toBe(200)
  expect((await bob.get('/api/profile')).status).toBe(401)
})
