import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster, type Cluster } from './support/cluster.ts'
import { bearer, createToken } from './support/create-token.ts'
import { freePort } from './support/free-port.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { listInstances } from './support/list-instances.ts'
import { linkPath, makeLink, openLink } from './support/make-link.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { addTotp, pass, secondFactor, ticketOf } from './support/second-factor.ts'
import type { Service } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'

const soon = { timeout: 120_000, interval: 100 }
const anotherSecret = 'a secret that only one of the instances has, as long as required, and some more'

/** Each running instance with whether the one that is asked can't reach it. */
const reachedBy = async (service: Service) =>
  (await listInstances(service))
    .filter(({ state }) => state === 'running')
    .map(({ name, unreachable }) => [name, unreachable])

/** The keys of the instances' certificate authorities, sealed. */
const authorities = ({ ask }: Cluster<Service>) =>
  ask("select key, value from meta where key like 'instance-authority %' order by key")

/** A cluster of one, and a further instance with another JWT secret. */
async function withAnotherSecret() {
  const config = { tls: { enabled: false }, auth: { failed_login_rate_limit: null }, cameras: quietCameras }
  const cluster = await startCluster({ count: 1, config })
  const [{ service: one }] = cluster.instances as [(typeof cluster.instances)[number]]
  const before = await authorities(cluster)
  const node = { name: 'other', address: `https://127.0.0.1:${await freePort()}` }
  const other = await startService({
    config: { ...config, database: { url: cluster.url }, node },
    env: { SERVICE_JWT_SECRET: anotherSecret },
  })
  return { cluster, one, other, before }
}

const profileAt = async ({ gate }: Service, headers: OutgoingHttpHeaders) =>
  (await gate.with(headers).get('/api/profile')).status

describe.skipIf(!canCluster)('instances with different JWT secrets', () => {
  afterAll(stopAll)

  test('[TOK-2] [NODE-3] [MFA-1] [LINK-3] neither accepts what the other one signed, a second factor is still required, and the log and the list of instances say why there is no video', async () => {
    const { cluster, one, other, before } = await withAnotherSecret()
    const ann = await one.user('ann', 'admin')
    const there = await signIn(other.gate, 'ann')
    expect([await profileAt(one, ann.headers), await profileAt(other, ann.headers)]).toEqual([200, 401])
    expect([await profileAt(one, there.headers), await profileAt(other, there.headers)]).toEqual([401, 200])
    // What is compared with the database is the same at both.
    const { token } = await createToken(ann)
    expect([await profileAt(one, bearer(token)), await profileAt(other, bearer(token))]).toEqual([200, 200])
    const link = await makeLink(ann, { kind: 'live', camera: 'yard' })
    const viewer = await openLink(one, link)
    expect(await statusOf(other.gate.with(viewer.headers), linkPath(link, 'latest.jpg'))).toBe(401)

    const app = await addTotp(one, await one.user('tia'))
    pass(other, one.clock.now() - other.clock.now())
    const code = app.code()
    const proofs = [
      secondFactor(other.gate, await ticketOf(one.gate, 'tia'), { code }),
      secondFactor(other.gate, await ticketOf(other.gate, 'tia'), { code }),
    ]
    expect((await Promise.all(proofs)).map(({ status }) => status)).toEqual([401, 401])
    expect((await secondFactor(one.gate, await ticketOf(one.gate, 'tia'), { code })).status).toBe(200)

    for (const [service, name] of [
      [one, 'other'],
      [other, 'node-0'],
    ] as const) {
      await service.printed(/instance unreachable.*/)
      expect(service.output()).toMatch(/same JWT secret/)
      await expect.poll(() => reachedBy(service), soon).toContainEqual([name, true])
    }
    expect(await authorities(cluster)).toEqual(expect.arrayContaining(before))
    expect(await authorities(cluster)).toHaveLength(2)
  })

  test('[TOK-2] [NODE-3] a secret that is replaced at one and then at the other ends the sessions, and they reach each other again', async () => {
    const { one, other } = await withAnotherSecret()
    const ann = await one.user('ann', 'admin')
    await other.printed(/instance unreachable.*/)
    const again: InProcessService = await one.restart({ env: { SERVICE_JWT_SECRET: anotherSecret } })
    await other.printed(/instance reached again.*/)
    await expect
      .poll(() => reachedBy(again), soon)
      .toEqual(
        expect.arrayContaining([
          ['node-0', false],
          ['other', false],
        ]),
      )
    expect([await profileAt(again, ann.headers), await profileAt(other, ann.headers)]).toEqual([401, 401])
    const signedIn = await signIn(other.gate, 'ann')
    expect(await profileAt(again, signedIn.headers)).toBe(200)
    const back = await again.restart({ env: { SERVICE_JWT_SECRET } })
    expect([await profileAt(back, signedIn.headers), await profileAt(back, ann.headers)]).toEqual([401, 200])
  })
})
