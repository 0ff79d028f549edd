import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { onTestFinishedOrLater, stopAll } from './support/cleanups.ts'
import { clientOf } from './support/fake-oidc-service.ts'
import { fakeKeys, fakePaths, startFakeProvider, type FakeProvider } from './support/fake-provider.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { logoutEvent, openSocket } from './support/oidc-service.ts'
import { stopwatch } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const postgres = postgresUrl()
/** Milliseconds until the provider is asked about a session again. */
const recheck = 301_000
const eventually = { timeout: 120_000, interval: 20 }

describe.skipIf(postgres === undefined)('instances on one PostgreSQL database', () => {
  let provider: FakeProvider
  let url: string
  let one: InProcessService
  let other: InProcessService
  beforeAll(async () => {
    provider = await startFakeProvider()
    onTestFinishedOrLater(async () => provider.stop())
    const name = `gatehouse_oidc_${randomBytes(6).toString('hex')}`
    await askPostgres(postgres!, `create database ${name}`)
    url = postgres!.replace(/\/[^/]*$/, `/${name}`)
    const start = () =>
      startService({
        config: {
          tls: { enabled: false },
          cameras: quietCameras,
          database: { url },
          auth: { failed_login_rate_limit: null, oidc: fakeKeys(provider) },
        },
        env: { SERVICE_JWT_SECRET },
      })
    one = await start()
    other = await start()
    // The clocks of two machines are never the same.
    other.clock.setWallTime(one.clock.now() - 20_000)
  })
  afterAll(stopAll)

  /** A user's client at the first instance. */
  const signedIn = (sub: string): Promise<TestClient> => {
    provider.reset()
    provider.claims = { sub }
    provider.userinfo = { sub, groups: ['family'] }
    provider.tokens = { refresh_token: `${sub} 0` }
    return clientOf(one, provider).signedIn()
  }
  const used = (sub: string) =>
    provider.requests.map(({ body }) => body.get('refresh_token') ?? '').filter((token) => token.startsWith(`${sub} `))

  /**
   * Lets instances poll for due sessions until the provider was asked `times` times: one that is still busy skips a
   * poll. All polls together take less time of the clock than a lease, however long the provider takes.
   */
  function pollUntil(sub: string, times: number, instances: readonly InProcessService[]): Promise<void> {
    let polls = 0
    return vi.waitFor(
      async () => {
        polls += 1
        if (polls <= 20) await Promise.all(instances.map(({ clock }) => clock.advance(2_000)))
        expect(used(sub).length).toBeGreaterThanOrEqual(times)
      },
      { timeout: 60_000, interval: 400 },
    )
  }

  /** Waits until no instance asks about a session: one that is still busy keeps what it learned a moment later. */
  const settled = () =>
    expect
      .poll(() => askPostgres(url, 'select 1 from session where recheck_lease is not null'), eventually)
      .toHaveLength(0)

  test('[OIDC-4] a back-channel logout at one ends the streams at the other within a second', async () => {
    const ann = await signedIn('ann')
    const { closed } = await openSocket(other.gate.with(ann.headers), '/api/events')
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      iss: provider.issuer,
      aud: provider.clientId,
      iat,
      jti: 'a',
      sub: 'ann',
      events: { [logoutEvent]: {} },
    }
    const token = await provider.sign(claims, { typ: 'logout+jwt' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = ({ gate }: InProcessService) =>
      gate.post('/api/oidc/backchannel-logout', `logout_token=${token}`, headers)
    const elapsed = stopwatch('gatehouse_oidc_')
    const statuses = (await Promise.all([send(one), send(other)])).map(({ status }) => status)
    await closed
    expect(elapsed()).toBeLessThan(1_000)
    expect([statuses.includes(200), statuses.includes(400)]).toEqual([true, true])
    expect([await statusOf(ann), await statusOf(other.gate.with(ann.headers))]).toEqual([401, 401])
  })

  test('[OIDC-3] a refresh token is used by one instance only, and both know the result', async () => {
    const bob = await signedIn('bob')
    for (let round = 1; round <= 3; round += 1) {
      provider.tokens = { refresh_token: `bob ${round}`, id_token: undefined }
      await Promise.all([one.clock.advance(recheck), other.clock.advance(recheck)])
      await pollUntil('bob', round, [one, other])
      await settled()
    }
    await expect.poll(() => statusOf(other.gate.with(bob.headers)), eventually).toBe(200)
    expect(used('bob')).toEqual(['bob 0', 'bob 1', 'bob 2'])
    provider.userinfo = { sub: 'bob', groups: [] }
    await Promise.all([one.clock.advance(recheck), other.clock.advance(recheck)])
    await pollUntil('bob', 4, [one, other])
    for (const { gate } of [one, other]) {
      await expect.poll(() => statusOf(gate.with(bob.headers)), eventually).toBe(401)
    }
  })

  test('[OIDC-3] an instance that ends while it asks leaves its lease for a minute, and the other asks then', async () => {
    const cay = await signedIn('cay')
    let connection: Socket | undefined
    provider.instead.set(fakePaths.token, ({ socket }) => void (connection = socket))
    await one.clock.advance(recheck)
    await pollUntil('cay', 1, [one])
    const killed = one.kill()
    // Otherwise it would wait for the response, for ten seconds.
    connection?.destroy()
    await killed
    provider.instead.clear()
    provider.tokens = { refresh_token: 'cay 1', id_token: undefined }
    // The lease has at least fifty seconds more, also by a clock that is ahead of the other's.
    other.clock.setWallTime(one.clock.now() - 20_000)
    await other.clock.advance(24_000)
    for (let poll = 0; poll < 3; poll += 1) await other.clock.advance(2_000)
    await expect.poll(() => used('cay').length, { timeout: 500, interval: 50 }).toBe(1)
    await other.clock.advance(52_000)
    await pollUntil('cay', 2, [other])
    expect(used('cay')).toEqual(['cay 0', 'cay 0'])
    await expect.poll(() => statusOf(other.gate.with(cay.headers)), eventually).toBe(200)
  })
})
