import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { lineTo } from './support/database-line.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const postgres = postgresUrl()
const right = { user: 'ann', password }
const wrong = { user: 'ann', password: 'wrong password' }

const instance = (url: string, limit: string) =>
  startService({
    config: {
      tls: { enabled: false },
      auth: { failed_login_rate_limit: limit, trusted_proxies: ['127.0.0.1'] },
      database: { url },
    },
    env: { SERVICE_JWT_SECRET },
  })

/** Creates a separate database. @returns its URL */
async function database(): Promise<string> {
  const name = `gatehouse_failed_logins_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

async function two(limit: string, other = limit): Promise<readonly [InProcessService, InProcessService]> {
  const url = await database()
  const [one, second] = [await instance(url, limit), await instance(url, other)]
  expect((await one.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })).status).toBe(201)
  return [one, second]
}

const from = (address: string) => ({ 'x-forwarded-for': address })
const login = ({ gate }: { readonly gate: TestClient }, body: object, address = '192.0.2.1') =>
  gate.post('/api/login', body, from(address)).then(({ status }) => status)

describe.skipIf(postgres === undefined)('failed logins at several instances', () => {
  afterAll(stopAll)

  test('[NODE-4] parallel guesses over two instances get five checks together, and then a right password waits at both', async () => {
    const [one, other] = await two('5/minute')
    const guesses = Array.from({ length: 100 }, (_, nth) => login(nth % 2 === 0 ? one : other, wrong))
    const responses = await Promise.all(guesses)
    expect(responses.filter((status) => status === 401)).toHaveLength(5)
    expect(responses.filter((status) => status === 429)).toHaveLength(95)
    expect([await login(one, right), await login(other, right)]).toEqual([429, 429])
    expect([await login(one, right, '192.0.2.2'), await login(other, right, '192.0.2.2')]).toEqual([200, 200])
  })

  test('[NODE-4] a restart, a right password and the rest of an IPv6 network change nothing', async () => {
    const [one, other] = await two('2/hour')
    expect(await login(one, wrong, '2001:db8::1')).toBe(401)
    for (const each of [one, other, one, other]) expect(await login(each, right, '2001:db8::2')).toBe(200)
    expect(await login(other, wrong, '2001:db8::3')).toBe(401)
    const again = await one.restart()
    expect(await login(again, right, '2001:db8::4')).toBe(429)
    expect(await login(again, right, '2001:db8:0:1::1')).toBe(200)
  })

  test('[NODE-4] whatever counts as a failed login counts at every instance', async () => {
    const [one, other] = await two('3/hour')
    const admin = await one.admin()
    const at = from('192.0.2.7')
    const findDisplay = () => other.gate.with(admin.headers).post('/api/pairings/find', { code: 'ABCD2345' }, at)
    expect(await login(one, wrong, '192.0.2.7')).toBe(401)
    expect((await findDisplay()).status).toBe(404)
    expect(await login(one, wrong, '192.0.2.7')).toBe(401)
    expect([await login(one, right, '192.0.2.7'), await login(other, right, '192.0.2.7')]).toEqual([429, 429])
    expect((await findDisplay()).status).toBe(429)
  })

  test('[NODE-4] [LINK-3] [LINK-4] wrong secrets of links count at every instance, and keep no one from signing in', async () => {
    const [one, other] = await two('3/hour')
    const at = from('192.0.2.7')
    const secret = 'A'.repeat(43)
    const accept = { secret, username: 'eve', password }
    const attempts: readonly (readonly [TestClient, string, object])[] = [
      [one.gate, '/api/invitations/0123456789abcdef/accept', accept],
      [other.gate, '/api/password-resets/0123456789abcdef/accept', { secret, password }],
      [one.gate, '/api/links/0123456789abcdef0123456789abcdef/open', { secret }],
      [one.gate, '/api/invitations/0123456789abcdef/accept', accept],
      [other.gate, '/api/links/0123456789abcdef0123456789abcdef/open', { secret }],
    ]
    const statuses: number[] = []
    for (const [client, path, body] of attempts) statuses.push((await client.post(path, body, at)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await one.gate.get('/api/profile', { ...at, authorization: `Bearer gh_${secret}` })).status).toBe(401)
    expect([await login(one, right, '192.0.2.7'), await login(other, right, '192.0.2.7')]).toEqual([200, 200])
  })

  test('[NODE-4] [NODE-1] a higher limit in the file of a later instance gives no one more attempts', async () => {
    const [strict, loose] = await two('2/hour', '4/hour')
    for (const each of [strict, loose]) expect(await login(each, wrong)).toBe(401)
    expect([await login(strict, right), await login(loose, right)]).toEqual([429, 429])
  })

  test('[NODE-4] an instance that loses the database goes on counting, and then counts with the others again', async () => {
    const url = await database()
    const line = await lineTo(url)
    const cut = await instance(line.url, '3/hour')
    const other = await instance(url, '3/hour')
    await cut.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })
    // Of the first login, the place cannot be reserved; its other statements get a new connection.
    line.silenceOpen()
    expect(await login(cut, wrong)).toBe(401)
    for (let nth = 0; nth < 2; nth += 1) expect(await login(cut, wrong)).toBe(401)
    expect([await login(cut, right), await login(other, right)]).toEqual([429, 200])
    expect(await login(other, wrong)).toBe(401)
    expect(await login(other, right)).toBe(429)
  })
})
