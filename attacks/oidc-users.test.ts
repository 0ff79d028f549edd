/** Users of an identity provider: groups and names of odd kinds, users who look like another one, and other ways in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { createToken } from '../server/test/support/create-token.ts'
import { outcomeOf, startFakeOidcService, type FakeOidcService } from '../server/test/support/fake-oidc-service.ts'
import { fakeKeys } from '../server/test/support/fake-provider.ts'
import { password } from '../server/test/support/sign-in.ts'
import { statusOf, type TestClient } from '../server/test/support/test-client.ts'

let at: FakeOidcService
beforeAll(async () => {
  at = await startFakeOidcService()
})
beforeEach(() => at.provider.reset())
afterAll(stopAll)

const profileOf = async (client: TestClient) =>
  (await client.get('/api/profile')).json as { username: string; role: string; auth: string }
/** Signs in as this subject. */
const as = async (subject: string, claims: object = {}): Promise<TestClient> => {
  at.provider.claims = { sub: subject, ...claims }
  at.provider.userinfo = { sub: subject }
  return at.signedIn()
}

describe('[OIDC-3] groups', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `group ${at}`)
  test.each<[source: string, what: string, groups: unknown, outcome: string]>([
    ['CWE-843', 'a number', 1, 'no-role'],
    ['CWE-843', 'true', true, 'no-role'],
    ['CWE-843', 'null', null, 'no-role'],
    ['CWE-843', 'an object whose keys are yes or no', { sysadmins: true, admin: true }, 'no-role'],
    ['CWE-843', 'an object whose keys are texts', { sysadmins: 'sysadmins' }, 'no-role'],
    ['CWE-843', 'a nested list', [['sysadmins']], 'no-role'],
    ['CWE-843', 'a list of objects', [{ name: 'sysadmins' }], 'no-role'],
    ['CWE-178', 'the group in capitals', ['FAMILY'], 'no-role'],
    ['CWE-141', 'two groups in one text', 'family,sysadmins', 'no-role'],
    ['CWE-158', 'a group with a NUL', ['sysadmins\0'], 'no-role'],
    ['CWE-1321', 'names of an object’s own properties', ['__proto__', 'constructor', 'toString'], 'no-role'],
    ['PROXY-4', 'the name of a role, where groups are mapped', ['admin'], 'no-role'],
    ['CWE-400', '10,000 groups', many, 'no-role'],
    ['CWE-400', '10,000 groups and the right one', [...many, 'family'], 'in'],
    ['CWE-400', 'a group of 200,000 characters', ['a'.repeat(200_000)], 'no-role'],
    ['CWE-843', 'texts and others', [7, null, 'family', {}], 'in'],
    ['OIDC-1', 'one text', 'family', 'in'],
  ])('%s: %s', async (_source, _what, groups, outcome) => {
    at.provider.claims = { groups }
    expect(outcomeOf(await at.signIn())).toBe(outcome)
  })

  test('CWE-1321: a claim named __proto__ gives no groups', async () => {
    const text = `{"sub":"ann","__proto__":{"groups":["sysadmins"]}}`
    at.provider.claims = { groups: undefined }
    at.provider.instead.set(
      '/userinfo',
      (_request, response) => void response.setHeader('content-type', 'application/json').end(text),
    )
    expect(outcomeOf(await at.signIn())).toBe('no-role')
  })
})

/** The name that another program behind an outer proxy gets. */
const namedBy = async (client: TestClient) => (await client.get('/api/auth')).headers['remote-user']

describe('[OIDC-2] a name', () => {
  test.each<[source: string, what: string, name: unknown]>([
    ['CWE-150', 'with a control character', 'Ann\u001b[2J'],
    ['CWE-93', 'with a line break', 'Ann\nroot'],
    ['CWE-451', 'that changes the direction', 'Ann\u202enimda'],
    ['CWE-400', 'of 300 characters', 'a'.repeat(300)],
    ['CWE-20', 'that is empty', '  '],
    ['CWE-843', 'that is a list', ['Ann']],
    ['CWE-843', 'that is an object', { toString: 'Ann' }],
    ['CWE-158', 'with a NUL', 'Ann\0'],
  ])('%s: %s is not shown: the subject is', async (_source, _what, name) => {
    expect(await profileOf(await as('ann', { preferred_username: name }))).toMatchObject({ username: 'ann' })
  })

  test('CWE-79: with markup is shown as text', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const client = await as('ann', { preferred_username: name })
    const { headers } = await client.get('/api/profile')
    expect([(await profileOf(client)).username, headers['content-type']]).toEqual([
      name,
      expect.stringContaining('application/json'),
    ])
  })

  test("OIDC-2: an admin's name and email give nothing of the admin", async () => {
    const chief = await at.service.user('chief', 'admin')
    const { token } = await createToken(chief)
    const like = { preferred_username: 'chief', email: 'chief@example.com', email_verified: true, name: 'chief' }
    const theirs = await as('impostor', like)
    expect(await profileOf(theirs)).toMatchObject({ username: 'chief', role: 'viewer', auth: 'oidc' })
    expect((await theirs.get('/api/users')).status).toBe(403)
    expect((await theirs.get('/api/tokens')).json).toEqual([])
    const sessions = (await theirs.get('/api/account/sessions')).json
    expect(JSON.stringify(sessions)).not.toContain(token.slice(-20))
    expect(await profileOf(chief)).toMatchObject({ role: 'admin', auth: 'password' })
  })

  test("CWE-290: a local user's name gives nothing of that user at another program behind /api/auth", async () => {
    const namesake = await at.service.user('nell', 'admin')
    const theirs = await namedBy(await as('nell-at-home', { preferred_username: 'nell' }))
    expect([await namedBy(namesake), theirs]).toEqual(['nell', expect.stringMatching(/^oidc:[0-9a-f]{64}$/)])
    const [other, again] = [
      await namedBy(await as('someone', { preferred_username: 'nell' })),
      await namedBy(await as('nell-at-home', { preferred_username: 'Nell Q' })),
    ]
    expect([other === theirs, again === theirs]).toEqual([false, true])
  })

  test.each<[source: string, what: string, one: string, other: string]>([
    ['CWE-178', 'in another case', 'anna', 'Anna'],
    ['CWE-176', 'in another Unicode form', 'caf\u00e9', 'cafe\u0301'],
    ['CWE-1007', 'with a letter that looks the same', 'anna', '\u0430nna'],
    ['CWE-20', 'with a space', 'anna', 'anna '],
    ['CWE-89', 'with a wildcard', 'anna', 'ann_'],
    ['OIDC-2', 'equal to the key of a user', 'anna', `oidc:${'0'.repeat(64)}`],
  ])('%s: a subject %s is another user', async (_source, _what, one, other) => {
    const { id } = await createToken(await as(one))
    const tokens = (await (await as(other)).get('/api/tokens')).json as { id: string }[]
    expect(tokens.map((token) => token.id)).not.toContain(id)
  })
})

describe("[OIDC-2] a provider's user", () => {
  test.each<[source: string, method: string, path: string, body: object]>([
    ['ASVS 6.3.4', 'PUT', '/api/users/:me/password', { password, old_password: '' }],
    ['ASVS 6.3.4', 'PUT', '/api/users/:me/password', { password, old_password: password }],
    ['ASVS 6.3.4', 'POST', '/api/account/totp', {}],
    ['ASVS 6.3.4', 'POST', '/api/account/passkeys/options', {}],
    ['ASVS 6.3.4', 'POST', '/api/account/recovery-codes', {}],
    ['ASVS 6.3.4', 'POST', '/api/account/totp/confirm', { code: '000000' }],
  ])('%s: gets no second way in by %s %s', async (_source, method, path, body) => {
    const client = await as('pat', { groups: ['sysadmins'], preferred_username: 'Pat' })
    const users = (await client.get('/api/users?search=pat')).json as { key: string }[]
    const { status } = await client.request(method, path.replace(':me', users[0]!.key), { body })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    for (const user of ['Pat', 'pat', users[0]!.key]) {
      expect((await at.service.gate.post('/api/login', { user, password })).status).toBe(401)
    }
  })

  test('ASVS 15.3.3: no request makes a local user one of the provider', async () => {
    const body = { username: 'lou', password, role: 'viewer', provider: { issuer: at.provider.issuer, subject: 'lou' } }
    const more = { key: `oidc:${'1'.repeat(64)}`, issuer: at.provider.issuer, subject: 'lou' }
    await at.service.internal.post('/api/users', { ...body, ...more })
    const [lou] = (await at.service.internal.get('/api/users?search=lou')).json as { provider: unknown; key: string }[]
    expect(lou === undefined ? [null, 'lou'] : [lou.provider, lou.key]).toEqual([null, 'lou'])
    const name = await at.service.internal.post('/api/users', { ...body, username: more.key })
    expect(name.status).toBe(400)
  })

  test('USER-4: doesn’t count as the last admin: the only local admin stays', async () => {
    const there = await startFakeOidcService()
    there.provider.claims = { groups: ['sysadmins'] }
    const theirs = await there.signedIn()
    expect(await profileOf(theirs)).toMatchObject({ role: 'admin' })
    for (const response of [
      await theirs.delete('/api/users/admin'),
      await theirs.put('/api/users/admin/role', { role: 'viewer' }),
      await theirs.put('/api/users/admin/status', { disabled: true }),
    ]) {
      expect(response.json).toMatchObject({ status: 409, reason: { code: 'last-admin' } })
    }
  })

  test('CWE-613: a user whom an admin disables or deletes is signed out, and comes back only through the provider, as a new user', async () => {
    const client = await as('max', { preferred_username: 'Max' })
    const { token } = await createToken(client)
    const [{ key }] = (await at.service.internal.get('/api/users?search=max')).json as [{ key: string }]
    await at.service.internal.put(`/api/users/${key}/status`, { disabled: true })
    at.provider.claims = { sub: 'max' }
    at.provider.userinfo = { sub: 'max' }
    expect([await statusOf(client), outcomeOf(await at.signIn())]).toEqual([401, 'no-role'])
    await at.service.internal.delete(`/api/users/${key}`)
    const again = await as('max')
    expect([await statusOf(again), await statusOf(client)]).toEqual([200, 401])
    expect(await statusOf(at.service.gate.with({ authorization: `Bearer ${token}` }))).toBe(401)
  })
})

const secretOf = (url: string) => new URL(url, 'http://a').hash.slice(1)

describe('[OIDC-1] with `only`, no other way leads in', () => {
  let there: FakeOidcService
  let ann: TestClient
  let invitation: { id: string; secret: string }
  let reset: { id: string; secret: string }
  beforeAll(async () => {
    there = await startFakeOidcService()
    ann = await there.service.user('ann', 'admin')
    const invited = (await ann.post('/api/invitations', { role: 'viewer' })).json as { id: string; url: string }
    const other = await there.service.user('bob')
    expect(await statusOf(other)).toBe(200)
    const made = (await ann.post('/api/users/bob/password-reset')).json as { id: string; url: string }
    invitation = { id: invited.id, secret: secretOf(invited.url) }
    reset = { id: made.id, secret: secretOf(made.url) }
    await changeConfig(there.service, { auth: { oidc: { ...fakeKeys(there.provider), only: true } } })
  })

  test.each<[source: string, what: string, path: () => string, body: () => object]>([
    ['ASVS 6.3.4', 'a password', () => '/api/login', () => ({ user: 'ann', password })],
    [
      'ASVS 6.3.4',
      'an invitation',
      () => `/api/invitations/${invitation.id}/accept`,
      () => ({ secret: invitation.secret, username: 'eve', password }),
    ],
    [
      'ASVS 6.3.4',
      'a password reset',
      () => `/api/password-resets/${reset.id}/accept`,
      () => ({ secret: reset.secret, password }),
    ],
    ['ASVS 6.3.4', 'a passkey', () => '/api/login/passkey', () => ({ response: {} })],
    ['ASVS 6.3.4', 'a second factor', () => '/api/login/second-factor', () => ({ code: '000000' })],
  ])('%s: %s', async (_source, _what, path, body) => {
    const { status, cookies } = await there.service.gate.post(path(), body())
    expect(status).toBeGreaterThanOrEqual(400)
    expect(
      cookies.filter((line) => line.startsWith('gatehouse_token=') && !line.startsWith('gatehouse_token=;')),
    ).toEqual([])
    expect(await statusOf(ann)).toBe(401)
  })

  test('OIDC-1: the provider still signs users in', async () => {
    expect(outcomeOf(await there.signIn())).toBe('in')
  })
})

describe('[OIDC-1] without sign-in by the provider, its routes are 404', () => {
  const secret = 'a-secret-of-the-proxy-with-many-characters'
  const proxy = { auth_secret: secret, header_map: { user: 'remote-user' } }
  test.each<[source: string, what: string, options: object]>([
    ['ASVS 13.4.2', 'no issuer', { oidc: { issuer: null, client_id: null, client_secret: null } }],
    ['ASVS 13.4.2', 'a proxy signs users in', { auth: { enabled: false }, more: { proxy } }],
  ])('%s: %s', async (_source, _what, options) => {
    const { gate } = (await startFakeOidcService(options)).service
    const headers = { 'x-proxy-secret': secret }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const responses = [
      await gate.get('/api/oidc/login', headers),
      await gate.get('/api/oidc/callback?code=a&state=b', headers),
      await gate.post('/api/oidc/backchannel-logout', 'logout_token=a.b.c', form),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})
