import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { aroundEach, describe, test } from 'vitest'
import { childrenOf, commandLines } from './support/children.ts'
import { separateCleanups } from './support/cleanups.ts'
import { canCluster, startClusterProcesses, type ClusterInstance } from './support/cluster.ts'
import { holdRows } from './support/held-rows.ts'
import { listInstances } from './support/list-instances.ts'
import type { Gatehouse } from './support/start-gatehouse.ts'

/** A step of a handover from the giver to the receiver, in which one of them is killed. */
interface Step {
  readonly killed: 'giver' | 'receiver'
  readonly step: string
  /** How the camera leaves the giver. */
  readonly by: 'drain' | 'move'
  /** The statement that is held at the kill. */
  readonly held: (receiver: string) => readonly [event: string, condition: string]
  /** Who has the camera once the killed one is back. */
  readonly owner: 'giver' | 'receiver'
  /** State of the killed one then. */
  readonly state: 'running' | 'drained'
}

const steps: readonly Step[] = [
  {
    killed: 'giver',
    step: 'before its last recording is in the index',
    by: 'drain',
    held: () => ['insert on recording', `new.camera = 'yard'`],
    owner: 'receiver',
    state: 'drained',
  },
  {
    killed: 'giver',
    step: 'before its lease ends',
    by: 'move',
    held: () => ['update of instance on camera_lease', 'new.instance is null'],
    owner: 'receiver',
    state: 'running',
  },
  {
    killed: 'receiver',
    step: 'while it takes the camera',
    by: 'move',
    held: (receiver) => ['insert on camera_lease', `new.instance = '${receiver}'`],
    // The camera was moved there, so it gets it when it's back.
    owner: 'receiver',
    state: 'running',
  },
]

const folderOf = ({ service }: ClusterInstance<Gatehouse>): string => join(service.mediaDir, 'recordings')
const filesOf = (at: ClusterInstance<Gatehouse>, ending: 'mp4' | 'part'): string[] =>
  globSync(`*/yard/*.${ending}`, { cwd: folderOf(at) })
const volumeOf = (at: ClusterInstance<Gatehouse>): string => readFileSync(join(folderOf(at), '.library'), 'utf8').trim()

/** The programs of an instance that read the camera. */
const readersOf = ({ service }: ClusterInstance<Gatehouse>): number[] => {
  const lines = commandLines()
  return childrenOf(service.process.pid).filter((pid) => lines.get(pid)?.includes('/yard.ffconcat'))
}

// They mostly wait for leases to end and for video, both at their own speed, each test on its own database.
describe.skipIf(!canCluster)('a kill during a handover', { concurrent: true }, () => {
  aroundEach(separateCleanups)

  test.for(steps)(
    '[NODE-2] of the $killed $step: one instance pulls the camera, and nothing recorded is lost',
    async ({ killed, by, held, owner, state }, { expect }) => {
      const cluster = await startClusterProcesses({
        count: 2,
        config: { cameras: { yard: { source: 'demo:yard', motion: { enabled: false } } } },
      })
      const [receiver, giver] = cluster.instances as readonly [ClusterInstance<Gatehouse>, ClusterInstance<Gatehouse>]
      const instances = { giver, receiver }
      const gone = instances[killed]
      const other = instances[killed === 'giver' ? 'receiver' : 'giver']
      const ids = { giver: await giver.id(), receiver: await receiver.id() }
      const { internal } = receiver.service
      const ownerNow = async () => (await cluster.owners())['yard']
      const indexed = async (on: ClusterInstance<Gatehouse>) =>
        (await cluster.ask(`select file from recording where volume = '${volumeOf(on)}'`)).map(({ file }) => file)
      const overlapping = `select from recording one join recording other using (camera)
        where one.epoch < other.epoch and one.start < other."end" and one."end" > other.start`
      const move = async (to: string) => (await internal.put('/api/cameras/yard/instance', { instance: to })).status

      await expect.poll(() => move(ids.giver)).toBe(204)
      await expect.poll(ownerNow).toBe(giver.name)
      const draftSize = () =>
        Math.max(0, ...filesOf(giver, 'part').map((file) => statSync(join(folderOf(giver), file)).size))
      await expect.poll(draftSize).toBeGreaterThan(30_000)
      const hold = await holdRows(cluster.url, ...held(ids.receiver))
      if (by === 'move') expect(await move(ids.receiver)).toBe(204)
      else expect((await internal.post(`/api/instances/${ids.giver}/drain`)).status).toBe(204)
      await giver.service.printed(/cameras handed over/)
      await expect.poll(hold.isWaiting, { interval: 20 }).toBe(true)
      const readers = readersOf(gone)
      const printedBefore = other.service.output().length
      await gone.service.kill()
      await hold.end()
      const complete = filesOf(giver, 'mp4')
      expect(complete).not.toEqual([])

      await expect.poll(ownerNow).toBe(other.name)
      await expect.poll(() => readersOf(other).length).toBe(1)
      await expect.poll(() => readers.filter((pid) => commandLines().get(pid)?.includes('/yard.ffconcat'))).toEqual([])
      const shown = async () =>
        Object.fromEntries((await listInstances(other.service)).map((each) => [each.name, each]))
      await expect.poll(shown).toMatchObject({
        [gone.name]: { state: 'away', cameras: [], drained_at: by === 'drain' ? expect.anything() : null },
        [other.name]: { state: 'running', cameras: ['yard'] },
      })
      expect(other.service.output().slice(printedBefore)).toMatch(/"cameras":\["yard"\].*cameras taken/)

      gone.service = await gone.service.restart()
      await expect.poll(ownerNow).toBe(instances[owner].name)
      await expect.poll(async () => (await shown())[gone.name]?.state).toBe(state)
      const readersNow = () => [instances[owner], giver, receiver].map((each) => readersOf(each).length)
      await expect.poll(() => readersNow()).toEqual(owner === 'giver' ? [1, 1, 0] : [1, 0, 1])
      // What another instance could have recorded is added once it's known that none did.
      await expect.poll(() => indexed(giver)).toEqual(expect.arrayContaining(complete))
      expect(complete.filter((file) => !existsSync(join(folderOf(giver), file)))).toEqual([])
      expect(await cluster.ask(overlapping)).toEqual([])
    },
  )
})
