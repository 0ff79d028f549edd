import { beforeEach, describe, expect, test, vi } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { bearer, createToken } from './support/create-token.ts'
import { makeLink, openLink } from './support/make-link.ts'
import {
  addPasskey,
  addTotp,
  deviceCookieOf,
  login,
  named,
  nextCode,
  pass,
  secondFactor,
  signedInBy,
  ticketOf,
} from './support/second-factor.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const minutes = (count: number): number => count * 60_000
const days = (count: number): number => count * 86_400_000

let service: InProcessService
let ann: TestClient
beforeEach(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { session_length: 90 * 86_400 } } })
  ann = await service.user('ann')
})

const factorsOf = async (client: TestClient) =>
  (await client.get('/api/account/factors')).json as {
    required: boolean
    totp: object | null
    passkeys: { id: string; name: string }[]
    recovery_codes: number
    devices: { id: string }[]
  }
const actionsOf = async (action: string) =>
  (await service.internal.get(`/api/audit?action=${action}`)).json as {
    entries: { user: string; result: string; detail?: string }[]
  }

const requireFor = async (role: string) =>
  expect((await changeConfig(service, { auth: { mfa: { required_for: [role] } } })).status).toBe(200)

const rememberDevice = async () => {
  const app = await addTotp(service, ann)
  const proof = { code: app.code(), remember: true }
  const reply = await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), proof)
  const cookie = reply.cookies.find((each) => each.startsWith('gatehouse_device='))
  expect(cookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
  // [TOK-11] Some clients read only the first one.
  expect(reply.cookies[0]).toMatch(/^gatehouse_token=[\w.-]+; /)
  return {
    app,
    signedIn: signedInBy(service.gate, reply),
    device: service.gate.with({ cookie: deviceCookieOf(reply) }),
  }
}

describe('[MFA-1] an authenticator app', () => {
  test('is asked for once a code confirmed it, and comes with ten recovery codes', async () => {
    expect(await factorsOf(ann)).toMatchObject({ totp: null, passkeys: [], recovery_codes: 0 })
    const { uri } = (await ann.post('/api/account/totp')).json as { uri: string }
    expect(uri).toMatch(/^otpauth:\/\/totp\/Gatehouse:ann\?/)
    expect((await login(service.gate, 'ann')).status).toBe(200)
    const app = await addTotp(service, ann)
    expect(new Set(app.recoveryCodes).size).toBe(10)
    expect(await factorsOf(ann)).toMatchObject({ totp: {}, recovery_codes: 10 })
    const reply = await login(service.gate, 'ann')
    expect(reply.status).toBe(401)
    expect(reply.cookies).toEqual([])
    expect(reply.json).toMatchObject({ code: 'second-factor-required', methods: ['totp', 'recovery-code'] })
    const { ticket } = reply.json as { ticket: string }
    const signedIn = await secondFactor(service.gate, ticket, { code: app.code() })
    expect(signedIn.json).toMatchObject({ username: 'ann', role: 'viewer' })
    expect((await signedInBy(service.gate, signedIn).get('/api/profile')).json).toMatchObject({
      username: 'ann',
      second_factor: { has: true, reset: null },
    })
  })

  test('that is replaced gives new recovery codes, and the old ones and codes are worth nothing', async () => {
    const old = await addTotp(service, ann)
    const app = await addTotp(service, ann)
    for (const code of [old.code(), old.recoveryCodes[0]]) {
      expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), { code })).status).toBe(401)
    }
    const ticket = await ticketOf(service.gate, 'ann')
    expect((await secondFactor(service.gate, ticket, { code: app.code() })).status).toBe(200)
  })

  test('is stored encrypted: the database has neither the secret nor a recovery code', async () => {
    const app = await addTotp(service, ann)
    const { openDatabase } = await import('./support/service-database.ts')
    const database = openDatabase(service, { readOnly: true })
    const rows = JSON.stringify([
      database.prepare('select * from totp').all(),
      database.prepare('select * from recovery_code').all(),
    ])
    database.close()
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(rows).not.toContain(secret)
    expect(service.output()).not.toContain(app.secret)
  })

  test('of a service with another JWT secret is worth nothing, and a recovery code still is', async () => {
    const app = await addTotp(service, ann)
    service = await service.restart({ env: { SERVICE_JWT_SECRET: 's'.repeat(64) } })
    const code = { code: app.code() }
    expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), code)).status).toBe(401)
    const recovery = { code: app.recoveryCodes[3] }
    expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), recovery)).status).toBe(200)
  })
})

test('[MFA-1] a recovery code is typed in any case and grouping, works once, and the rest can be replaced', async () => {
  const app = await addTotp(service, ann)
  const code = (app.recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')
  const first = await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), { code })
  const signedIn = signedInBy(service.gate, first)
  expect(await factorsOf(signedIn)).toMatchObject({ recovery_codes: 9 })
  expect((await actionsOf('recovery-code.use')).entries).toMatchObject([{ user: 'ann' }])
  expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), { code })).status).toBe(401)
  const renewed = await signedIn.post('/api/account/recovery-codes')
  const [fresh] = (renewed.json as { recovery_codes: string[] }).recovery_codes
  const old = { code: app.recoveryCodes[1] }
  expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), old)).status).toBe(401)
  expect((await secondFactor(service.gate, await ticketOf(service.gate, 'ann'), { code: fresh })).status).toBe(200)
})

describe('[MFA-1] a passkey', () => {
  test('signs in without a name or a password, and confirms as a second factor', async () => {
    const passkey = await addPasskey(ann)
    expect(passkey.recoveryCodes).toHaveLength(10)
    const here = named(service.gate)
    const options = (await here.post('/api/login/passkey/options', {})).json as { allowCredentials?: object[] }
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials).toBeUndefined()
    const signedIn = await here.post('/api/login/passkey', { assertion: passkey.get(options) })
    expect(signedIn.json).toMatchObject({ username: 'ann' })

    const ticket = await ticketOf(here, 'ann')
    const second = (await here.post('/api/login/passkey/options', { ticket })).json
    expect(second).toMatchObject({ allowCredentials: [{ id: passkey.id }] })
    expect((await secondFactor(here, ticket, { assertion: passkey.get(second) })).status).toBe(200)
  })

  test('has a name that can be changed, and can be removed', async () => {
    await addPasskey(ann)
    const second = await addPasskey(ann, 'Key')
    expect(second.recoveryCodes).toBeUndefined()
    const [phone, key] = (await factorsOf(ann)).passkeys
    expect([phone?.name, key?.name]).toEqual(['Phone', 'Key'])
    const renamed = await ann.request('PATCH', `/api/account/passkeys/${key?.id}`, { body: { name: 'Blue key' } })
    expect(renamed.status).toBe(204)
    expect((await ann.delete(`/api/account/factors/${phone?.id}`)).status).toBe(204)
    expect((await factorsOf(ann)).passkeys).toMatchObject([{ name: 'Blue key' }])
    expect((await ann.delete(`/api/account/factors/${phone?.id}`)).status).toBe(404)
  })

  test('cannot be added twice', async () => {
    const passkey = await addPasskey(ann)
    const here = named(ann)
    const options = (await here.post('/api/account/passkeys/options')).json
    const again = await here.post('/api/account/passkeys', { name: 'Again', credential: passkey.create(options) })
    expect(again.json).toMatchObject({ reason: { code: 'passkey-exists' } })
  })

  test('works only at the configured addresses', async () => {
    const origin = `http://cams.localhost:${service.gatePort}`
    await changeConfig(service, { auth: { mfa: { origins: [origin] } } })
    expect((await named(service.gate).post('/api/login/passkey/options', {})).json).toMatchObject({
      reason: { code: 'no-passkeys-here' },
    })
    expect((await named(service.gate, 'cams.localhost').post('/api/login/passkey/options', {})).json).toMatchObject({
      rpId: 'cams.localhost',
    })
  })
})

test('[MFA-1] adding or removing a factor ends the other sessions, and the last one takes the recovery codes along', async () => {
  const other = signedInBy(service.gate, await login(service.gate, 'ann'))
  expect((await other.get('/api/profile')).status).toBe(200)
  await addTotp(service, ann)
  expect((await other.get('/api/profile')).status).toBe(401)
  expect((await ann.delete('/api/account/factors/totp')).status).toBe(204)
  expect(await factorsOf(ann)).toMatchObject({ totp: null, recovery_codes: 0 })
  expect((await login(service.gate, 'ann')).status).toBe(200)
})

describe('[MFA-2] a role that requires a second factor', () => {
  test('lets its users do nothing but set one up', async () => {
    await requireFor('viewer')
    expect((await ann.get('/api/profile')).json).toMatchObject({ suspended: 'enrollment-required', actions: [] })
    for (const path of ['/api/cameras', '/api/cameras/yard', '/api/auth', '/api/sessions', '/api/camera-groups']) {
      const reply = await ann.get(path)
      expect([path, reply.status, reply.json]).toMatchObject([path, 403, { reason: { code: 'enrollment-required' } }])
    }
    const fresh = signedInBy(service.gate, await login(service.gate, 'ann'))
    expect((await fresh.get('/api/cameras')).status).toBe(403)
    expect(await factorsOf(fresh)).toMatchObject({ required: true })
    await addTotp(service, fresh)
    expect((await fresh.get('/api/cameras')).status).toBe(200)
    const removed = await fresh.delete('/api/account/factors/totp')
    expect([removed.status, removed.json]).toMatchObject([409, { reason: { code: 'factor-required' } }])
    await addPasskey(fresh)
    expect((await fresh.delete('/api/account/factors/totp')).status).toBe(204)
  })

  test('ends the streams of users who have none when the setting is switched on', async () => {
    const socket = ann.socket('/api/events')
    const closed = new Promise<number>((done) => socket.once('close', done))
    await new Promise((done) => socket.once('open', done))
    await requireFor('viewer')
    expect(await closed).toBe(4403)
  })

  test('[LINK-3] [LINK-4] does not concern the tokens and links that its users have created', async () => {
    const boss = await service.user('boss', 'admin')
    const { token } = await createToken(boss)
    const link = await makeLink(boss, { kind: 'live', camera: 'yard' })
    const { id, url } = (await boss.post('/api/invitations', { role: 'viewer' })).json as { id: string; url: string }
    const invited = { secret: new URL(url).hash.slice(1), username: 'new', password: 'a password that they chose' }
    await requireFor('admin')
    expect((await boss.get('/api/cameras')).status).toBe(403)
    const byToken = service.gate.with(bearer(token))
    await openLink(service, link)
    const accepted = await service.gate.post(`/api/invitations/${id}/accept`, invited)
    expect([await statusOf(byToken, '/api/cameras'), accepted.status]).toEqual([200, 200])
  })

  test('does not concern the users of another role', async () => {
    await requireFor('admin')
    expect((await ann.get('/api/cameras')).status).toBe(200)
  })
})

describe('[MFA-3] a failed second factor', () => {
  test('counts as a failed login of the address', async () => {
    await addTotp(service, ann)
    const ticket = await ticketOf(service.gate, 'ann')
    const wrong = Array.from({ length: 10 }, () => secondFactor(service.gate, ticket, { code: 'wrong' }))
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(10).fill(401))
    expect((await secondFactor(service.gate, ticket, { code: 'wrong' })).status).toBe(429)
    expect((await login(service.gate, 'ann')).status).toBe(429)
    await vi.waitFor(async () => {
      const { entries } = await actionsOf('login')
      const failures = entries.filter(({ result }) => result === 'failure')
      expect(failures[0]).toMatchObject({ user: 'ann', detail: 'second-factor' })
    }, 60_000)
  })

  test('leaves five minutes for another one', async () => {
    const app = await addTotp(service, ann)
    const [one, two] = [await ticketOf(service.gate, 'ann'), await ticketOf(service.gate, 'ann')]
    pass(service, minutes(5) - 1000)
    expect((await secondFactor(service.gate, one, { code: app.code() })).status).toBe(200)
    // The end of the five minutes, and the next code.
    pass(service, 30_000)
    const late = await secondFactor(service.gate, two, { code: app.code() })
    expect([late.status, late.json]).toMatchObject([401, { code: 'login-failed', reason: { code: 'login-expired' } }])
  })
})

describe('[MFA-4] a change by a user who has a second factor', () => {
  test('has to be confirmed after five minutes', async () => {
    const boss = await service.user('boss', 'admin')
    const app = await addTotp(service, boss)
    const change = () => boss.put('/api/users/ann/role', { role: 'viewer' })
    expect((await change()).status).toBe(200)
    pass(service, minutes(6))
    const refused = await change()
    expect([refused.status, refused.json]).toMatchObject([401, { code: 'confirm-required' }])
    expect((await boss.get('/api/users')).status).toBe(200)
    const empty = await boss.post('/api/account/confirm', {})
    expect([empty.status, empty.json]).toMatchObject([400, { problems: [{ field: 'code' }] }])
    const wrong = await boss.post('/api/account/confirm', { code: 'wrong' })
    expect([wrong.status, wrong.json]).toMatchObject([403, { reason: { code: 'wrong-second-factor' } }])
    expect((await boss.post('/api/account/confirm', { password })).status).toBe(403)
    expect((await change()).status).toBe(401)
    expect((await boss.post('/api/account/confirm', { code: app.code() })).status).toBe(204)
    expect((await change()).status).toBe(200)
    pass(service, minutes(5))
    expect((await change()).status).toBe(401)
  })

  test('is confirmed by a passkey, too', async () => {
    const passkey = await addPasskey(ann)
    const here = named(ann)
    pass(service, minutes(6))
    expect((await ann.post('/api/account/recovery-codes')).json).toMatchObject({ code: 'confirm-required' })
    const options = (await here.post('/api/account/confirm/options')).json
    expect((await here.post('/api/account/confirm', { assertion: passkey.get(options) })).status).toBe(204)
    expect((await ann.post('/api/account/recovery-codes')).status).toBe(200)
  })

  test('is not asked of users without one, except for the password before the first one', async () => {
    const boss = await service.user('boss', 'admin')
    pass(service, minutes(6))
    expect((await boss.put('/api/users/ann/role', { role: 'viewer' })).status).toBe(200)
    expect((await boss.post('/api/account/totp')).json).toMatchObject({ code: 'confirm-required' })
    expect((await boss.post('/api/account/confirm', { password: 'wrong' })).json).toMatchObject({
      code: 'wrong-password',
    })
    expect((await boss.post('/api/account/confirm', { password })).status).toBe(204)
    expect((await boss.post('/api/account/totp')).status).toBe(200)
  })

  test('[AUD-2] is possible however often the account was changed, and not itself such a change', async () => {
    const boss = await service.user('boss', 'admin')
    const change = () => boss.post('/api/links', {})
    // On a slow machine, time for some more passes.
    let reply = await change()
    for (let nth = 1; nth < 400 && reply.status === 400; nth += 1) reply = await change()
    expect(reply.json).toMatchObject({ reason: { code: 'too-many-own-changes' } })
    expect((await boss.post('/api/account/confirm', { password })).status).toBe(204)
    // What one session has used up, another one of the user still has.
    expect((await (await signIn(service.gate, 'boss')).post('/api/links', {})).status).toBe(400)
  })

  test('is not asked on the internal port', async () => {
    await addTotp(service, await service.user('boss', 'admin'))
    pass(service, minutes(6))
    expect((await service.internal.put('/api/users/ann/role', { role: 'viewer' })).status).toBe(200)
    expect((await service.internal.post('/api/account/totp')).json).toMatchObject({
      reason: { code: 'factors-elsewhere' },
    })
  })
})

describe('[MFA-5] a remembered device', () => {
  test('is not asked for the second factor for 30 days, and a change there is confirmed first', async () => {
    const { device, app } = await rememberDevice()
    const there = signedInBy(device, await login(device, 'ann'))
    expect((await there.post('/api/account/recovery-codes')).json).toMatchObject({ code: 'confirm-required' })
    nextCode(service)
    expect((await there.post('/api/account/confirm', { code: app.code() })).status).toBe(204)
    expect((await there.post('/api/account/recovery-codes')).status).toBe(200)
    pass(service, days(30) - minutes(5))
    expect((await login(device, 'ann')).status).toBe(200)
    pass(service, minutes(5))
    expect((await login(device, 'ann')).status).toBe(401)
    expect((await factorsOf(there)).devices).toEqual([])
  })

  test('is listed and can be revoked', async () => {
    const { signedIn, device } = await rememberDevice()
    const [listed] = (await factorsOf(signedIn)).devices
    expect(listed).toMatchObject({ address: '127.0.0.1' })
    expect((await signedIn.delete(`/api/account/factors/${listed?.id}`)).status).toBe(204)
    expect((await login(device, 'ann')).status).toBe(401)
    expect((await actionsOf('device.revoke')).entries).toHaveLength(1)
  })

  test('is forgotten with a new password', async () => {
    const { device } = await rememberDevice()
    const next = 'another correct horse battery'
    expect((await service.internal.put('/api/users/ann/password', { password: next })).status).toBe(200)
    expect((await login(device, 'ann', next)).status).toBe(401)
  })
})

test('[MFA-5] an admin resets a user’s factors, and the user is told at the next sign-in', async () => {
  const boss = await service.user('boss', 'admin')
  await addTotp(service, ann)
  await addPasskey(ann)
  expect((await boss.delete('/api/users/ann/factors')).status).toBe(204)
  expect((await ann.get('/api/profile')).status).toBe(401)
  expect((await actionsOf('factor.reset')).entries).toMatchObject([{ user: 'boss', target: 'ann' }])
  const again = signedInBy(service.gate, await login(service.gate, 'ann'))
  const profile = (await again.get('/api/profile')).json
  expect(profile).toMatchObject({ second_factor: { has: false, reset: { by: 'boss' } } })
  expect((await again.delete('/api/account/factor-reset')).status).toBe(204)
  expect((await again.get('/api/profile')).json).toMatchObject({ second_factor: { reset: null } })
  expect((await ann.delete('/api/users/boss/factors')).status).toBe(401)
  expect((await again.delete('/api/users/boss/factors')).status).toBe(403)
})

test('[MFA-3] a sign-in under way ends with a reset and a new one needs no factor', async () => {
  const app = await addTotp(service, ann)
  const ticket = await ticketOf(service.gate, 'ann')
  expect((await service.internal.delete('/api/users/ann/factors')).status).toBe(204)
  expect((await secondFactor(service.gate, ticket, { code: app.code() })).json).toMatchObject({
    reason: { code: 'login-expired' },
  })
})

test('[MFA-3] [LINK-4] a new password by a reset link signs in only with the second factor', async () => {
  const app = await addTotp(service, ann)
  const created = (await service.internal.post('/api/users/ann/password-reset')).json as { id: string; url: string }
  const secret = new URL(created.url).hash.slice(1)
  const next = 'another long password'
  const reply = await service.gate.post(`/api/password-resets/${created.id}/accept`, { secret, password: next })
  expect([reply.status, reply.cookies]).toEqual([401, []])
  expect(reply.json).toMatchObject({ code: 'second-factor-required', methods: ['totp', 'recovery-code'] })
  expect((await ann.get('/api/profile')).status).toBe(401)
  expect((await login(service.gate, 'ann')).json).toMatchObject({ code: 'login-failed' })
  const { ticket } = reply.json as { ticket: string }
  expect((await secondFactor(service.gate, ticket, { code: app.code() })).json).toMatchObject({ username: 'ann' })
})

test('[MFA-5] [LINK-4] a remembered device is asked for the second factor after a reset link', async () => {
  const { device } = await rememberDevice()
  const created = (await service.internal.post('/api/users/ann/password-reset')).json as { id: string; url: string }
  const body = { secret: new URL(created.url).hash.slice(1), password: 'another long password' }
  const reply = await device.post(`/api/password-resets/${created.id}/accept`, body)
  expect([reply.status, reply.json]).toMatchObject([401, { code: 'second-factor-required' }])
})

test('[MFA-4] [LINK-4] invitations and reset links need a confirmation', async () => {
  const boss = await service.user('boss', 'admin')
  await addTotp(service, boss)
  const link = (await boss.post('/api/invitations', { role: 'viewer' })).json as { id: string }
  pass(service, minutes(6))
  for (const reply of [
    await boss.post('/api/invitations', { role: 'viewer' }),
    await boss.post('/api/users/ann/password-reset'),
    await boss.delete(`/api/invitations/${link.id}`),
  ]) {
    expect([reply.status, reply.json]).toMatchObject([401, { code: 'confirm-required' }])
  }
})
