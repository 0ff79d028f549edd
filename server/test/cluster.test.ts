import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import {
  canCluster,
  startCluster,
  startClusterProcesses,
  type Cluster,
  type ClusterInstance,
} from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import type { Service } from './support/service.ts'

const soon = { timeout: 120_000, interval: 100 }
const camerasOf = async (cluster: Cluster<Service>, at = 0) =>
  (await listInstances(cluster.instances[at]!.service)).flatMap(({ cameras }) => cameras).sort()
const camera = async ({ internal }: Service, name: string) => (await internal.get(`/api/cameras/${name}`)).json
const all = ['door', 'office', 'yard']

/** Moves a camera, and waits until it is there. */
async function move(cluster: Cluster<Service>, camera: string, to: number): Promise<void> {
  const target = cluster.instances[to]!
  const id = await target.id()
  const body = { instance: id }
  const knows = async () => (await listInstances(cluster.instances[0]!.service)).some((each) => each.id === id)
  await expect.poll(knows, soon).toBe(true)
  const { status } = await cluster.instances[0]!.service.internal.put(`/api/cameras/${camera}/instance`, body)
  expect(status).toBe(204)
  await expect.poll(async () => (await cluster.owners())[camera], soon).toBe(target.name)
}

/** Waits until another instance has a camera. */
async function takerOf<S extends Service>(
  { instances, owners }: Cluster<S>,
  of: string,
  before: ClusterInstance<S>,
): Promise<ClusterInstance<S>> {
  const others = instances.filter((each) => each !== before)
  const find = async () => {
    const owner = (await owners())[of]
    return others.find(({ name }) => name === owner)
  }
  await expect.poll(find, soon).toBeDefined()
  return (await find())!
}

describe.skipIf(!canCluster)('instances with one database', () => {
  afterAll(stopAll)

  test('[ROLE-10] a user of one is a user of each', async () => {
    const { instances } = await startCluster({ config: { cameras: quietCameras } })
    expect(instances).toHaveLength(3)
    const ann = await instances[0]!.service.user('ann')
    for (const { service } of instances)
      expect((await service.gate.with(ann.headers).get('/api/profile')).status).toBe(200)
  })

  test('[NODE-2] each camera is pulled by one instance, and by another one after that one is killed', async () => {
    const cluster = await startClusterProcesses()
    await expect.poll(() => camerasOf(cluster), soon).toEqual(all)
    await move(cluster, 'yard', 1)
    await move(cluster, 'door', 2)
    const [first, second, third] = cluster.instances
    expect(await cluster.owners()).toEqual({ yard: second!.name, door: third!.name, office: first!.name })
    await expect.poll(() => camera(second!.service, 'yard'), soon).toMatchObject({ state: 'online', recording: true })
    await expect.poll(() => camera(first!.service, 'yard'), soon).toMatchObject({ state: 'online', recording: true })
    await second!.service.kill()
    const elapsed = stopwatch('gatehouse_cluster_', first!.service.process.pid!, third!.service.process.pid!)
    const taker = await takerOf(cluster, 'yard', second!)
    expect(elapsed()).toBeLessThan(10_000)
    await expect.poll(() => camera(taker.service, 'yard'), soon).toMatchObject({ recording: true })
    expect(await listInstances(first!.service)).toMatchObject([
      { name: first!.name, state: 'running', current: true, capacity: null, labels: [], drained_at: null },
      { name: second!.name, state: 'away', cameras: [], requested: ['yard'] },
      { name: third!.name, state: 'running', requested: ['door'], address: third!.address },
    ])
    const moves = (await first!.service.internal.get('/api/audit?action=camera.move')).json
    expect(moves).toMatchObject({ entries: [{ target: 'door', detail: third!.name }, { target: 'yard' }] })
  })
})
