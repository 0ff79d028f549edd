import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { childrenOf, commandLines } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { startClusterProcesses, type Cluster, type ClusterInstance } from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { postgresPrograms, startPostgres } from './support/postgres-server.ts'
import type { Gatehouse } from './support/start-gatehouse.ts'

const soon = { timeout: 120_000, interval: 100 }

type Instance = ClusterInstance<Gatehouse>

/** Whether a program of this instance reads the yard's video, whatever the database says. */
const pulls = ({ service }: Instance): boolean => {
  const lines = commandLines()
  return childrenOf(service.process.pid).some((pid) => lines.get(pid)?.includes('/yard.ffconcat'))
}

/** Recordings of two instances that have the same time. */
const overlaps = ({ ask }: Cluster<Gatehouse>) =>
  ask(`select one.file, other.file from recording one join recording other
    on one.volume < other.volume and one.start < other."end" and one."end" > other.start`)

const stateOf = async (of: Instance, at: Instance) =>
  (await listInstances(at.service)).find(({ name }) => name === of.name)?.state

describe.skipIf(postgresPrograms === undefined)('PostgreSQL restarted while a camera moves', () => {
  afterAll(stopAll)

  test('[NODE-2] by drain or by hand: the camera ends where it should, and no time is recorded twice', async () => {
    const server = await startPostgres(postgresPrograms!)
    onTestFinished(() => server.remove())
    const cluster = await startClusterProcesses({
      count: 2,
      url: server.url,
      config: { cameras: { yard: { source: 'demo:yard', motion: { enabled: false } } } },
    })
    const [one, other] = cluster.instances as [Instance, Instance]
    /** Restarts the server, and waits until the camera is only where it should be. */
    const restartedUntilAt = async (to: Instance, from: Instance) => {
      server.stop()
      server.start()
      await expect.poll(async () => (await cluster.owners())['yard'], soon).toBe(to.name)
      await expect.poll(() => [pulls(to), pulls(from)], soon).toEqual([true, false])
      const [{ epoch } = {}] = await cluster.ask(`select epoch from camera_lease where camera = 'yard'`)
      const recorded = () =>
        cluster.ask(`select file from recording where camera = 'yard' and epoch = ${Number(epoch)}`)
      await expect.poll(recorded, soon).not.toEqual([])
      expect(await overlaps(cluster)).toEqual([])
    }
    const move = (to: Instance) => async () =>
      (await one.service.internal.put('/api/cameras/yard/instance', { instance: await to.id() })).status
    await expect.poll(() => stateOf(other, one), soon).toBe('running')
    await expect.poll(move(one), soon).toBe(204)
    await expect.poll(async () => (await cluster.owners())['yard'], soon).toBe(one.name)
    await expect.poll(() => pulls(one), soon).toBe(true)

    await expect.poll(move(other), soon).toBe(204)
    await restartedUntilAt(other, one)

    const drain = `/api/instances/${await other.id()}/drain`
    expect((await one.service.internal.post(drain)).status).toBe(204)
    // In the middle of the handover: it has stopped pulling, and its last recording is on its way to the index.
    await expect.poll(() => pulls(other), { ...soon, interval: 20 }).toBe(false)
    await restartedUntilAt(one, other)
    await expect.poll(() => stateOf(other, one), soon).toBe('drained')
  })
})
