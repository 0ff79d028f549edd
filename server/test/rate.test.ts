import { describe, expect, test } from 'vitest'
import { createHashingProcess as createCheapHashing } from './support/cheap-hashing.ts'
import { hashersOf, isHasher } from './support/children.ts'
import type { Service } from './support/service.ts'
import { password, tokenIn } from './support/sign-in.ts'
import { failedStart, startService } from './support/start-service.ts'
import { createTestClock } from './support/test-clock.ts'
import type { Reply, TestClient } from './support/test-client.ts'

const configOf = (limit: string | null | undefined, more: object = {}) => ({
  tls: { enabled: false },
  auth: { ...(limit !== undefined && { failed_login_rate_limit: limit }), ...more },
})
const withAnn = async <Started extends Service>(service: Started): Promise<Started> => {
  await service.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })
  return service
}
/** Its clock stands still, so that the windows of the limits last as long as a test needs. */
const start = async (limit: string | undefined, more?: object) =>
  withAnn(await startService({ config: configOf(limit, more) }, createTestClock({ now: Date.now() })))
const right = { user: 'ann', password }
const wrong = { user: 'ann', password: 'wrong password' }
const statuses = (responses: readonly { status: number }[]) => {
  const counts = new Map<number, number>()
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return Object.fromEntries(counts)
}
const many = (at: TestClient, count: number, body: object, headers?: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => at.post('/api/login', body, headers)))

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('failed logins', () => {
  test('[RATE-3] [RATE-2] 200 concurrent guesses get five checks, and then a right password waits too', async () => {
    const { gate, internal } = await start('5/minute')
    expect(statuses(await many(gate, 200, wrong))).toEqual({ 401: 5, 429: 195 })
    const response = await gate.post('/api/login', right)
    expect([response.status, response.json]).toMatchObject([429, { code: 'too-many-attempts' }])
    expect(response.headers['retry-after']).toBe('60')
    // The internal port belongs to the same service and counts the same address.
    expect((await internal.post('/api/login', right)).status).toBe(429)
  })

  test('[RATE-2] two right logins in the same second both succeed; after wrong ones, the window has to pass', async () => {
    const { gate, clock } = await start('1/second')
    expect(statuses(await many(gate, 2, right))).toEqual({ 200: 2 })
    expect((await gate.post('/api/login', wrong)).status).toBe(401)
    expect((await gate.post('/api/login', right)).status).toBe(429)
    await clock.advance(1100)
    expect((await gate.post('/api/login', right)).status).toBe(200)
  })

  test('[RATE-2] a malformed body isn’t a failure, and a success resets nothing', async () => {
    const { gate } = await start('2/hour')
    for (let i = 0; i < 5; i += 1) expect((await gate.post('/api/login', { user: 'ann' })).status).toBe(400)
    expect((await gate.post('/api/login', wrong)).status).toBe(401)
    expect((await gate.post('/api/login', right)).status).toBe(200)
    expect((await gate.post('/api/login', wrong)).status).toBe(401)
    expect((await gate.post('/api/login', right)).status).toBe(429)
  })

  test('[RATE-2] a wrong current password counts', async () => {
    const { gate } = await start('2/hour')
    const ann = gate.with({ cookie: `gatehouse_token=${tokenIn(await gate.post('/api/login', right))}` })
    const change = { password: 'another long one', old_password: 'wrong password' }
    const responses = [1, 2, 3].map(() => ann.put('/api/users/ann/password', change))
    expect(statuses(await Promise.all(responses))).toEqual({ 403: 2, 429: 1 })
    expect((await gate.post('/api/login', right)).status).toBe(429)
    expect((await ann.get('/api/profile')).status).toBe(200)
  })

  test('[RATE-4] are counted by address, IPv6 by its /64, and reset by a restart', async () => {
    const gatehouse = await start('1/hour', { trusted_proxies: ['127.0.0.1'] })
    const { gate } = gatehouse
    expect((await gate.post('/api/login', wrong, from('2001:db8::1'))).status).toBe(401)
    expect((await gate.post('/api/login', right, from('2001:db8::ffff:2'))).status).toBe(429)
    expect((await gate.post('/api/login', right, from('2001:db8:0:1::1'))).status).toBe(200)
    expect((await gate.post('/api/login', wrong, from('192.0.2.1'))).status).toBe(401)
    expect((await gate.post('/api/login', right, from('::ffff:192.0.2.1'))).status).toBe(429)
    expect((await gate.post('/api/login', right, from('192.0.2.2'))).status).toBe(200)
    await gatehouse.restart()
    expect((await gate.post('/api/login', right, from('192.0.2.1'))).status).toBe(200)
  })

  test('[RATE-5] ten per minute by default', async () => {
    const { gate } = await start(undefined)
    expect(statuses(await many(gate, 12, wrong))).toEqual({ 401: 10, 429: 2 })
  })
})

test('[RATE-5] [RATE-7] without a limit, a flood is rejected with Retry-After, and tokens work in the meantime', async () => {
  const hashing = createCheapHashing()
  let held: Promise<unknown> = Promise.resolve()
  const derive: typeof hashing.derive = (derivation) => held.then(() => hashing.derive(derivation))
  const createHashing = () => ({ ...hashing, derive })
  const { gate } = await withAnn(await startService({ config: configOf(null), createHashing }))
  const ann = gate.with({ cookie: `gatehouse_token=${tokenIn(await gate.post('/api/login', right))}` })
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  const rejected: Reply[] = []
  const flood = Array.from({ length: 150 }, async () => {
    const response = await gate.post('/api/login', wrong)
    if (response.status === 503) rejected.push(response)
    return response
  })
  // Not one password has been checked by now.
  await expect.poll(() => rejected.length).toBeGreaterThan(50)
  for (let served = 0; served < 20; served += 1) expect((await ann.get('/api/profile')).status).toBe(200)
  release()
  const counts = statuses(await Promise.all(flood))
  expect(Object.keys(counts)).toEqual(['401', '503'])
  expect(counts[401]).toBeGreaterThanOrEqual(64)
  for (const { headers } of rejected) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})

test('[RATE-7] beside a flood from many addresses, a user at an address in use signs in, also after a restart', async () => {
  const hashing = createCheapHashing()
  let held: Promise<unknown> = Promise.resolve()
  const derive: typeof hashing.derive = (derivation) => held.then(() => hashing.derive(derivation))
  const createHashing = () => ({ ...hashing, derive })
  const config = configOf(null, { trusted_proxies: ['127.0.0.1'] })
  const before = await withAnn(await startService({ config, createHashing }))
  expect((await before.gate.with(from('198.51.100.7')).post('/api/login', right)).status).toBe(200)
  const service = await before.restart()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  let rejected = 0
  const flood = Array.from({ length: 150 }, async (_, i) => {
    const { status } = await service.gate.with(from(`203.0.113.${i}`)).post('/api/login', wrong)
    if (status === 503) rejected += 1
  })
  await expect.poll(() => rejected).toBeGreaterThan(50)
  const known = service.gate.with(from('198.51.100.7')).post('/api/login', right)
  const unknown = await service.gate.with(from('198.51.100.8')).post('/api/login', right)
  release()
  expect([unknown.status, (await known).status]).toEqual([503, 200])
  await Promise.all(flood)
})

test.each(['5/day', '0/minute', '5/minute;', 'five/minute'])(
  '[RATE-1] %s is a configuration error that quotes the invalid part',
  async (limit) => {
    const { status, output } = await failedStart({ config: { auth: { failed_login_rate_limit: limit } } })
    expect(status).toBe(78)
    expect(output).toContain('failed_login_rate_limit')
    expect(output).toContain(JSON.stringify(limit.split(';').at(-1)))
  },
)

test('[RATE-7] an unknown user takes as long as a wrong password', async () => {
  const { gate } = await withAnn(await startService({ config: configOf(null), realHashes: true }))
  const time = async (user: string) => {
    const began = performance.now()
    await gate.post('/api/login', { user, password: 'wrong password' })
    return performance.now() - began
  }
  const known: number[] = []
  const unknown: number[] = []
  // The shortest times have the least noise of a busy machine. Without the same work, the ratio would be one in twenty.
  const ratio = () => Math.min(...unknown) / Math.min(...known)
  for (let i = 0; i < 7 || (i < 40 && ratio() <= 0.5); i += 1) {
    known.push(await time('ann'))
    unknown.push(await time('unknown'))
  }
  expect(ratio()).toBeGreaterThan(0.5)
})

/** Many wrong logins, already in progress. */
async function floodOf({ gate, internal }: Service): Promise<{ readonly logins: Promise<unknown> }> {
  const logins = Promise.allSettled(Array.from({ length: 60 }, () => gate.post('/api/login', wrong)))
  for (let i = 0; i < 20; i += 1) await internal.get('/api/health')
  return { logins }
}

/** A service that has just checked a password, and the process that hashed it. */
async function startHashing() {
  const service = await startService({ config: configOf(null), realHashes: true })
  await service.user('ann')
  const [hasher, ...more] = hashersOf(process.pid)
  expect(more).toEqual([])
  return { service, hasher: hasher! }
}

describe('[RATE-7] the process that hashes passwords', () => {
  test('killed during logins, it is replaced, and all of them succeed', async () => {
    const { service, hasher } = await startHashing()
    // Whatever is sent to it from here on is lost with it.
    process.kill(hasher, 'SIGSTOP')
    const logins = many(service.gate, 4, right)
    for (let i = 0; i < 20; i += 1) await service.internal.get('/api/health')
    process.kill(hasher, 'SIGKILL')
    expect(statuses(await logins)).toEqual({ 200: 4 })
    await service.printed(/password hashing process ended unexpectedly.*SIGKILL|SIGKILL.*ended unexpectedly/)
    expect(hashersOf(process.pid)).toHaveLength(1)
    expect(hashersOf(process.pid)).not.toContain(hasher)
    expect((await service.gate.post('/api/login', wrong)).status).toBe(401)
  })

  test('a service that is stopped leaves no such process, even during many logins', async () => {
    const { service, hasher } = await startHashing()
    const { logins } = await floodOf(service)
    expect(await service.stop()).toBe(0)
    expect(isHasher(hasher)).toBe(false)
    await logins
  })
})
