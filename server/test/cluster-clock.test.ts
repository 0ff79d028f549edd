import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster, type Cluster, type ClusterInstance } from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { within } from './support/own-time.ts'
import type { InProcessService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'

const soon = { timeout: 120_000, interval: 50 }
const hour = 3_600_000
const notRecorded = { record: { enabled: false }, motion: { enabled: false } }
const cameras = Object.fromEntries(['yard', 'door'].map((name) => [name, { source: `demo:${name}`, ...notRecorded }]))
const path = '/api/cameras/yard/latest.jpg'

type Instance = ClusterInstance<InProcessService>

/** How far the clock of each instance is ahead, as one of them shows it. */
const hoursAhead = async ({ service }: Instance) =>
  Object.fromEntries(
    (await listInstances(service)).map(({ name, clock_ahead_seconds: ahead }) => [
      name,
      Math.round((ahead ?? 0) / 3600),
    ]),
  )

async function move({ owners }: Cluster<InProcessService>, camera: string, to: Instance): Promise<void> {
  const knows = async () => (await listInstances(to.service)).some(({ name }) => name === to.name)
  await expect.poll(knows, soon).toBe(true)
  const { status } = await to.service.internal.put(`/api/cameras/${camera}/instance`, { instance: await to.id() })
  expect(status).toBe(204)
  await expect.poll(async () => (await owners())[camera], soon).toBe(to.name)
}

describe.skipIf(!canCluster)('instances whose clocks are set', () => {
  afterAll(stopAll)

  test('[NODE-2] [NODE-3] [TOK-6] hours forward and back: each camera keeps its owner, no video is shown without a valid ticket, and what was revoked stays revoked', async () => {
    const config = { cameras, auth: { roles: { guard: ['yard'], cook: ['door'] }, failed_login_rate_limit: null } }
    const cluster = await startCluster({ count: 2, config })
    const [owner, gate] = cluster.instances as [Instance, Instance]
    await move(cluster, 'yard', owner)
    await move(cluster, 'door', gate)
    const started = new Map(
      cluster.instances.map(({ service }) => [service, service.clock.now() - service.clock.elapsed()]),
    )
    const setBy = ({ service }: Instance, hours: number) =>
      service.clock.setWallTime(started.get(service)! + service.clock.elapsed() + hours * hour)
    const leases = () => cluster.ask('select camera, instance, epoch from camera_lease order by camera')
    const before = await leases()
    const gill = gate.service.gate.with((await owner.service.user('gill', 'guard')).headers)
    const vic = gate.service.gate.with((await owner.service.user('vic', 'guard')).headers)
    // The instance that pulls the camera answers no ticket of another time.
    for (const [hours, status] of [
      [5, 503],
      [-5, 503],
      [0, 200],
    ] as const) {
      setBy(gate, hours)
      await expect.poll(() => statusOf(gill, path), soon).toBe(status)
      if (hours === 5) await gate.service.printed(/clock differs from that of the database/)
      // Every instance says so, of the one whose clock is wrong.
      await expect.poll(() => hoursAhead(owner), soon).toEqual({ [owner.name]: 0, [gate.name]: hours })
    }
    await gate.service.printed(/clock agrees with that of the database/)
    const socket = vic.socket('/api/cameras/yard/live')
    let isOpen = true
    socket.on('close', () => void (isOpen = false))
    await once(socket, 'open')

    for (const hours of [5, -5]) {
      setBy(owner, hours)
      setBy(gate, -hours)
      for (const { service } of [owner, gate]) expect(await statusOf(service.gate.with(gill.headers))).toBe(200)
      expect(await statusOf(gill, '/api/cameras/door/latest.jpg')).toBe(403)
      // Renewed at least once since.
      const now = Number((await cluster.ask(`select extract(epoch from clock_timestamp()) * 1000 as now`))[0]!['now'])
      const renewed = async () =>
        (await cluster.ask('select valid_until from camera_lease')).every(
          ({ valid_until }) => Number(valid_until) > now + 6_000,
        )
      await expect.poll(renewed, soon).toBe(true)
      expect(await leases()).toEqual(before)
    }
    // A stream that began before goes on, and ends within a second if its user loses the camera at the other instance.
    expect(isOpen).toBe(true)
    expect((await owner.service.internal.put('/api/users/vic/role', { role: 'cook' })).status).toBe(200)
    await within(1_000, () => expect(isOpen).toBe(false))
    expect((await owner.service.gate.with(gill.headers).post('/api/logout')).status).toBe(204)
    await within(1_000, async () => expect(await statusOf(gill)).toBe(401))
    for (const hours of [0, -5, 5])
      for (const each of [owner, gate]) {
        setBy(each, hours)
        expect([hours, each.name, await statusOf(each.service.gate.with(gill.headers))]).toEqual([
          hours,
          each.name,
          401,
        ])
      }
    setBy(owner, 0)
    setBy(gate, 0)
    const again = gate.service.gate.with((await owner.service.user('ann', 'guard')).headers)
    await expect.poll(() => statusOf(again, path), soon).toBe(200)
    expect(await leases()).toEqual(before)
  })
})
