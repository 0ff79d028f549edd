/** Logins that probe for users, guess passwords, get around the limit or send bodies that no form sends. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { openDatabase } from '../server/test/support/service-database.ts'
import { password, tokenIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Reply } from '../server/test/support/test-client.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null } } })
  await service.user('lea')
  // With bytes beyond those that other hashes read.
  const long = { username: 'long', password: 'é'.repeat(100), role: 'viewer' }
  expect((await service.internal.post('/api/users', long)).status).toBe(201)
})
afterAll(stopAll)

const json = { 'content-type': 'application/json' }
const login = (body: unknown, headers: Record<string, string> = json, path = '/api/login'): Promise<Reply> =>
  service.gate.post(path, body, headers)

const storedHash = (): string => {
  const database = openDatabase(service, { readOnly: true })
  const row = database.prepare('select password_hash from "user" where key = ?').get('lea')
  database.close()
  return String(row?.['password_hash'])
}

test('the tables are about the credentials: the right ones sign in, also in another case of the name', async () => {
  for (const user of ['lea', 'LEA', 'Lea']) expect((await login({ user, password })).status).toBe(200)
  expect((await login({ user: 'long', password: 'é'.repeat(100) })).status).toBe(200)
})

/** Everything that a client sees, except the time. */
const seen = ({ status, rawHeaders, text }: Reply): unknown => {
  const names = rawHeaders.filter((_text, at) => at % 2 === 0)
  const values = rawHeaders.filter((_text, at) => at % 2 === 1)
  return { status, text, headers: names.map((name, at) => [name, name === 'Date' ? '' : values[at]]) }
}

describe('[ERR-1] [RATE-7] wrong credentials all have the same response', () => {
  test.each<[source: string, attack: string, user: string | (() => string), secret: string | (() => string)]>([
    ['ASVS 6.3.8', 'an unknown user', 'unknown', password],
    ['ASVS 6.3.8', 'no name', '', password],
    ['ASVS 6.3.8', 'a name that is too long', 'x'.repeat(10_000), password],
    ['ASVS 6.3.8', 'a name that no user can have', '../../etc/passwd', password],
    ['CVE-2022-39307', 'the user of the internal port', 'anonymous', password],
    ['GHSA-c5c4-8r6x-56w3', 'a name with two @', 'lea@x@y', password],
    ['ASVS 15.3.6', 'a name of JavaScript', '__proto__', password],
    ['ASVS 15.3.6', 'another one', 'constructor', password],
    ['sqlmap', 'SQL as the name', "lea' or '1'='1", password],
    ['sqlmap', 'SQL as the password', 'lea', "' or 1=1; --"],
    ['ASVS 1.2.4', 'a wildcard', 'le%', password],
    ['RFC 4513 5.1.2', 'no password', 'lea', ''],
    ['ASVS 6.2.8', 'the password in capitals', 'lea', password.toUpperCase()],
    ['ASVS 6.2.8', 'the password with a space after it', 'lea', `${password} `],
    ['ASVS 6.2.8', 'the password with a line end', 'lea', `${password}\n`],
    ['ASVS 6.2.8', 'the password with a NUL', 'lea', `${password}\0`],
    ['ASVS 6.2.8', 'the password with an invisible character', 'lea', `${password}\u200b`],
    ['ASVS 6.2.8', 'the first 72 bytes of a long password', 'long', 'é'.repeat(36)],
    ['ASVS 6.2.8', 'a long password in another form', 'long', 'e\u0301'.repeat(100)],
    ['ASVS 6.2.8', 'half of a character', 'lea', `${password}\ud800`],
    ['ASVS 6.2.8', 'the name with a NUL', 'lea\0', password],
    ['ASVS 6.2.8', 'the name with a space', ' lea', password],
    ['RFC 8265 3.3', 'the name in wide letters', '\uff4c\uff45\uff41', password],
    ['RFC 8265 3.3', 'the name with a letter that becomes small', 'LE\u0410', password],
    ['ASVS 6.2.9', 'a password of 500 kB', 'lea', 'x'.repeat(500_000)],
    ['CVE-2026-46488', 'the hash as the password', 'lea', storedHash],
    ['CVE-2026-46488', 'the end of the hash as the password', 'lea', () => storedHash().split('$').at(-1) ?? ''],
    ['CVE-2017-7921', 'nothing but a name', 'admin', 'x'],
    ['hydra', 'admin', 'admin', 'admin'],
    ['hydra', 'password', 'admin', 'password'],
    ['hydra', 'the product', 'admin', 'gatehouse'],
    ['hydra', 'root', 'root', 'root'],
    ['hydra', 'the printed banner', 'admin', 'password:'],
  ])('%s: %s', async (_source, _attack, user, secret) => {
    const [name, typed] = [user, secret].map((text) => (typeof text === 'string' ? text : text()))
    const usual = await login({ user: 'lea', password: 'wrong' })
    const response = await login({ user: name, password: typed })
    expect(seen(response)).toEqual(seen(usual))
    expect(response.json).toMatchObject({ status: 401, detail: 'Login failed', code: 'login-failed' })
    expect(response.cookies).toEqual([])
  })
})

const failures = (): number => service.output().split('"action":"login","result":"failure"').length

describe('[ERR-3] [RATE-2] a body that no form sends is 4xx, signs no one in and isn’t a failed login', () => {
  const right = { user: 'lea', password }
  const text = JSON.stringify(right)
  test.each<[source: string, attack: string, body: unknown, status: number, headers?: Record<string, string>]>([
    ['CVE-2026-49443', 'nothing', undefined, 400, {}],
    ['CVE-2026-49443', 'nothing, as JSON', '', 400],
    ['CVE-2026-49443', 'an empty object', '{}', 400],
    ['CVE-2026-49443', 'null', 'null', 400],
    ['CVE-2026-49443', 'a list', '[]', 400],
    ['CVE-2026-49443', 'a list of credentials', JSON.stringify([right]), 400],
    ['ASVS 2.2.1', 'no password', '{"user":"lea"}', 400],
    ['ASVS 2.2.1', 'null as password', '{"user":"lea","password":null}', 400],
    ['ASVS 2.2.1', 'true as password', '{"user":"lea","password":true}', 400],
    ['ASVS 15.3.5', 'a list of passwords', JSON.stringify({ user: 'lea', password: [password, 'x'] }), 400],
    ['ASVS 15.3.5', 'an object as password', '{"user":"lea","password":{"$ne":null}}', 400],
    ['ASVS 15.3.5', 'an object as name', '{"user":{"$gt":""},"password":"x"}', 400],
    ['ASVS 15.3.5', 'a number', '{"user":"lea","password":0}', 400],
    ['ASVS 15.3.6', 'a prototype', `{"__proto__":${text}}`, 400],
    ['ASVS 15.3.6', 'a constructor', `{"constructor":{"prototype":${text}}}`, 400],
    ['CVE-2026-40166', 'credentials inside of others', JSON.stringify({ user: right, password: right }), 400],
    ['RFC 8259 2', 'two values', `${text}${text}`, 400],
    ['RFC 8259 2', 'a comma at the end', text.replace('}', ',}'), 400],
    ['RFC 8259 8.1', 'UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 400],
    ['ASVS 14.2.1', 'in the query', undefined, 400],
    [
      'ASVS 4.1.1',
      'a form',
      `user=lea&password=${password}`,
      415,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['ASVS 3.5.2', 'JSON as text, which a form of another site can send', text, 415, { 'content-type': 'text/plain' }],
    ['ASVS 3.5.2', 'JSON without a type', Buffer.from(text), 415, {}],
    ['ASVS 4.1.1', 'several parts', text, 415, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['ASVS 1.5.1', 'XML', '<user>lea</user>', 415, { 'content-type': 'application/xml' }],
    ['RFC 9110 8.4', 'compressed', gzipSync(text), 400, { ...json, 'content-encoding': 'gzip' }],
    ['ASVS 2.4.1', 'more than 1 MiB', `{"user":"lea","password":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['CVE-2020-36518', 'lists in lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['CVE-2020-36518', 'objects in objects', `${'{"user":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 400],
  ])('%s: %s', async (_source, attack, body, status, headers = json) => {
    const path =
      attack === 'in the query' ? `/api/login?user=lea&password=${encodeURIComponent(password)}` : '/api/login'
    const before = failures()
    const response = await login(body, headers, path)
    expect([response.status, response.cookies]).toEqual([status, []])
    expect(failures()).toBe(before)
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('ASVS 4.1.4: %s signs no one in', async (method) => {
    const path = `/api/login?user=lea&password=${encodeURIComponent(password)}`
    const response = await service.gate.request(method, path, { headers: json })
    expect(response.status).toBeOneOf([303, 401, 404])
    expect(response.cookies).toEqual([])
  })
})

/** Sets a new limit and lets the failures of earlier rows expire. */
const limit = async (failed_login_rate_limit: string): Promise<void> => {
  expect((await changeConfig(service, { auth: { failed_login_rate_limit } })).status).toBe(200)
  await service.clock.advance(61_000)
}

describe('[RATE-2] [RATE-3] the limit on failed logins holds', () => {
  test.each<[source: string, attack: string, requests: readonly (readonly [user: string, path?: string])[]]>([
    ['CVE-2026-47203', 'the name in other cases', [['lea'], ['LEA'], ['Lea']]],
    ['CVE-2025-24806', 'other names', [['lea'], ['admin'], ['unknown']]],
    ['CVE-2025-71399', 'other spellings of the path', [['lea'], ['lea', '/%61pi/login'], ['lea', '/api/%6cogin?x']]],
    ['IncludeSec 2025-09 L2', 'only unknown names', [['a'], ['b'], ['c']]],
  ])('%s: against %s', async (_source, _attack, requests) => {
    await limit('2/minute')
    const statuses: number[] = []
    for (const [user, path] of requests) statuses.push((await login({ user, password: 'wrong' }, json, path)).status)
    expect(statuses).toEqual([401, 401, 429])
    // On the other port, and with the right password, too.
    expect((await service.internal.post('/api/login', { user: 'lea', password })).status).toBe(429)
  })

  test('RFC 6585 4: against a success in between, which makes no room', async () => {
    await limit('2/minute')
    const statuses: number[] = []
    for (const secret of ['wrong', password, 'wrong', password]) {
      statuses.push((await login({ user: 'lea', password: secret })).status)
    }
    expect(statuses).toEqual([401, 200, 401, 429])
  })

  test('ASVS 6.3.1: against guesses of the current password in a session', async () => {
    await limit('2/minute')
    const client = service.gate.with({ cookie: `gatehouse_token=${tokenIn(await login({ user: 'lea', password }))}` })
    const statuses: number[] = []
    for (const old_password of ['one', 'two', 'three', password]) {
      statuses.push(
        (await client.put('/api/users/lea/password', { password: 'another long one', old_password })).status,
      )
    }
    expect(statuses).toEqual([403, 403, 429, 429])
    expect((await login({ user: 'lea', password })).status).toBe(429)
    // The limit locks no session out.
    expect((await client.get('/api/profile')).status).toBe(200)
  })
})
