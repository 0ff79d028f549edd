import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { leaseTimes } from '../src/cluster/lease.ts'
import { segmentOf } from '../src/recordings/segments/segment-file.ts'
import { commandLines } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import {
  canCluster,
  startCluster,
  startClusterProcesses,
  type Cluster,
  type ClusterInstance,
} from './support/cluster.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { freePort } from './support/free-port.ts'
import { listInstances } from './support/list-instances.ts'
import { stopwatch } from './support/own-time.ts'
import { postgresPrograms } from './support/postgres-server.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import type { Service } from './support/service.ts'
import { password } from './support/sign-in.ts'
import { socketStatus } from './support/socket-status.ts'
import { failedStart, startService } from './support/start-service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { statusOf } from './support/test-client.ts'
import { createTranscript } from './support/transcript.ts'

const soon = { timeout: 120_000, interval: 100 }
const camerasOf = async (cluster: Cluster<Service>, at = 0) =>
  (await listInstances(cluster.instances[at]!.service)).flatMap(({ cameras }) => cameras).sort()
const camera = async ({ internal }: Service, name: string) => (await internal.get(`/api/cameras/${name}`)).json
const all = ['door', 'office', 'yard']

/** Each instance with its state, and whether the one that is asked can't reach it. */
const seenBy = async (service: Service) =>
  (await listInstances(service)).map(({ name, state, unreachable }) => [name, state, unreachable])

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

interface Recorded {
  readonly file: string
  readonly start: number
  readonly end: number
}

/** Where an instance's recordings are. */
const folderOf = ({ service }: ClusterInstance<Service>): string => join(service.mediaDir, 'recordings')

/** What the index has of the yard on an instance's disk, in order. */
async function indexedOn(at: ClusterInstance<Service>, { ask }: Cluster<Service>): Promise<Recorded[]> {
  const volume = readFileSync(join(folderOf(at), '.library'), 'utf8').trim()
  const rows = await ask(
    `select file, start, "end" from recording where camera = 'yard' and volume = '${volume}' order by start`,
  )
  return rows.map(({ file, start, end }) => ({ file: String(file), start: Number(start), end: Number(end) }))
}

/** What can be played of the yard on an instance's disk, in order. */
async function recordedOn(at: ClusterInstance<Service>): Promise<Recorded[]> {
  const files = globSync('*/yard/*.mp4', { cwd: folderOf(at) }).sort()
  return (await Promise.all(files.map((file) => segmentOf(folderOf(at), file)))).map((segment) => segment!)
}

/** Drafts of the yard that an instance wrote until it was killed. */
const draftsOn = (at: ClusterInstance<Service>): string[] => globSync('*/yard/*.part', { cwd: folderOf(at) })

describe.skipIf(!canCluster)('instances with one database', () => {
  afterAll(stopAll)

  test('[ROLE-10] a user of one is a user of each', async () => {
    const { instances } = await startCluster({ config: { cameras: quietCameras } })
    expect(instances).toHaveLength(3)
    const ann = await instances[0]!.service.user('ann')
    for (const { service } of instances)
      expect((await service.gate.with(ann.headers).get('/api/profile')).status).toBe(200)
  })

  test('[NODE-3] without the job `gate` an instance serves no users, and without `recorder` it pulls no camera, with an address or without', async () => {
    const yard = { source: 'demo:yard', record: { enabled: false }, motion: { enabled: false } }
    const jobs = [{ jobs: ['gate'] }, { jobs: ['recorder'] }, { jobs: ['gate'], address: null }]
    const cluster = await startCluster({ config: { cameras: { yard } }, node: (nth) => jobs[nth]! })
    const [gate, recorder, alone] = cluster.instances.map(({ service }) => service)
    await expect.poll(() => camera(gate!, 'yard'), soon).toMatchObject({ state: 'online' })
    expect(await cluster.owners()).toEqual({ yard: cluster.instances[1]!.name })
    expect(await camera(alone!, 'yard')).not.toMatchObject({ state: 'online' })
    await alone!.printed(/this one shows no camera/)

    const { headers } = await gate!.user('ann')
    expect(await statusOf(gate!.gate.with(headers))).toBe(200)
    const ann = recorder!.gate.with(headers)
    const paths = ['/api/profile', '/api/login/methods', '/api/cameras/yard/latest.jpg', '/logout', '/api/unknown']
    expect(await Promise.all(paths.map((path) => statusOf(ann, path)))).toEqual(paths.map(() => 404))
    expect((await ann.get('/api/profile')).json).toMatchObject({ reason: { code: 'serves-no-users' } })
    expect(await statusOf(ann, '/api/auth')).toBe(403)
    expect((await recorder!.gate.post('/api/login', { user: 'ann', password })).status).toBe(404)
    expect(await socketStatus(ann.socket('/api/cameras/yard/live'))).toBe(404)
    expect(await statusOf(recorder!.gate, '/api/health')).toBe(200)
    expect(await statusOf(recorder!.internal, '/api/cameras/yard')).toBe(200)
    const ready = await Promise.all([gate!, recorder!].map((one) => one.printed(/.*service ready.*/)))
    expect(ready.map(([line]) => line.includes('localhost'))).toEqual([true, false])
  })

  test('[NODE-3] an instance whose address leads nowhere is named in the log and in the list of instances of those that can’t reach it', async () => {
    const wrong = `https://nowhere.invalid:${await freePort()}`
    const { instances } = await startCluster({
      count: 2,
      config: { cameras: quietCameras },
      node: (nth) => (nth === 1 ? { address: wrong } : {}),
    })
    const [one, other] = instances.map(({ service }) => service)
    const running = ['node-0', 'running', false]
    await expect.poll(() => seenBy(one!), soon).toEqual([running, ['node-1', 'running', true]])
    await one!.printed(/nowhere\.invalid.*instance unreachable/)
    expect(await seenBy(other!)).toEqual([running, ['node-1', 'running', false]])
  })

  test('[NODE-3] instances with one name work, and each one’s log names the address of the other once', async () => {
    const { instances } = await startCluster({
      count: 2,
      config: { cameras: quietCameras },
      node: () => ({ name: 'cellar' }),
    })
    const running = ['cellar', 'running', false]
    for (const [index, { service }] of instances.entries()) {
      const other = instances[1 - index]!
      const line = await service.printed(/.*another instance has the same name.*/)
      expect(line[0]).toContain(other.address)
      expect(line[0]).toMatch(/own node\.name; if this one replaces the other, you don't have to do anything/)
      await expect.poll(() => seenBy(service), soon).toEqual([running, running])
      await service.clock.advance(leaseTimes.valid)
      expect(service.output().match(/another instance has the same name/g)).toHaveLength(1)
    }
  })

  test('[NODE-2] while an instance runs, a copy of its folders does not start, and takes no camera', async () => {
    const yard = { source: 'demo:yard', record: { enabled: false }, motion: { enabled: false } }
    const cluster = await startCluster({ count: 1, config: { cameras: { yard } } })
    const { service, name } = cluster.instances[0]!
    await expect.poll(() => cluster.owners(), soon).toEqual({ yard: name })
    const rows = () => cluster.ask('select id, run, volume, started_at, epoch from instance, camera_lease')
    const before = await rows()
    const clone = { copyOf: service, env: { SERVICE_JWT_SECRET } }
    const refused = await Promise.all([failedStart(clone), failedStart({ ...clone, files: { '.instance': '' } })])
    expect(refused.map(({ status }) => status)).toEqual([1, 1])
    expect(refused[0].message).toMatch(/\(node-0\).* \.instance/)
    expect(refused[1].message).toMatch(/\(node-0\).*\.library/)
    expect(await rows()).toEqual(before)
    await service.stop()
    const started = await startService(clone)
    expect(await listInstances(started)).toMatchObject([{ id: before[0]!['id'], state: 'running' }])
  })

  test('[NODE-2] each camera is pulled by one instance; after that one is killed, another one records it within ten seconds, and nothing recorded before is lost', async () => {
    const cluster = await startClusterProcesses()
    await expect.poll(() => camerasOf(cluster), soon).toEqual(all)
    await move(cluster, 'yard', 1)
    await move(cluster, 'door', 2)
    const [first, second, third] = cluster.instances
    expect(await cluster.owners()).toEqual({ yard: second!.name, door: third!.name, office: first!.name })
    await expect.poll(() => camera(second!.service, 'yard'), soon).toMatchObject({ state: 'online', recording: true })
    await expect.poll(() => camera(first!.service, 'yard'), soon).toMatchObject({ state: 'online', recording: true })
    await expect.poll(() => indexedOn(second!, cluster), soon).not.toEqual([])
    await second!.service.kill()
    const began = performance.now()
    const elapsed = stopwatch('gatehouse_cluster_', first!.service.process.pid!, third!.service.process.pid!)
    const taker = await takerOf(cluster, 'yard', second!)
    await expect.poll(() => camera(taker.service, 'yard'), soon).toMatchObject({ recording: true })
    expect(elapsed()).toBeLessThan(10_000)
    const machineWaits = performance.now() - began - elapsed()
    const before = await indexedOn(second!, cluster)
    const [draft] = draftsOn(second!)
    expect(await listInstances(first!.service)).toMatchObject([
      { name: first!.name, state: 'running', current: true, capacity: null, labels: [], drained_at: null },
      { name: second!.name, state: 'away', cameras: [], requested: ['yard'] },
      { name: third!.name, state: 'running', requested: ['door'], address: third!.address },
    ])
    const moves = (await first!.service.internal.get('/api/audit?action=camera.move')).json
    expect(moves).toMatchObject({ entries: [{ target: 'door', detail: third!.name }, { target: 'yard' }] })

    second!.service = await second!.service.restart()
    // It gets the camera back, and what the other one recorded is in the index.
    await expect.poll(async () => (await cluster.owners())['yard'], soon).toBe(second!.name)
    expect(await indexedOn(second!, cluster)).toEqual(expect.arrayContaining(before))
    // What it hadn't completed, too, once it's known that no other one recorded the same time.
    const completed = async () => (await recordedOn(second!)).find(({ file }) => draft?.startsWith(file))
    await expect.poll(completed, soon).toBeDefined()
    const last = (await completed())!
    for (const { file } of [...before, last]) expect(existsSync(join(folderOf(second!), file)), file).toBe(true)
    const [next] = (await indexedOn(taker, cluster)).filter(({ start }) => start > last.start)
    // A lease, a key frame, the second that wasn't on the disk yet, and the start of a program.
    expect(next!.start - last.end).toBeLessThan(leaseTimes.valid + 1_000 + 1_000 + 2_000 + machineWaits)
    expect(next!.start).toBeGreaterThan(last.end)
    const played = `/api/cameras/yard/clip.mp4?start=${before[0]!.start / 1000}&end=${before[0]!.end / 1000}`
    expect((await first!.service.internal.get(played)).status).toBe(200)
  })

  test.skipIf(postgresPrograms === undefined)(
    '`npm run cluster` starts instances that can be used as it says, and leaves nothing behind',
    async () => {
      const folder = temporaryFolder()
      // PostgreSQL runs as another user.
      chmodSync(folder, 0o755)
      const script = resolve(import.meta.dirname, '../../scripts/cluster.ts')
      const child = spawn(process.execPath, [script, '--count', '2'], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGTERM'))
      const exited = once(child, 'exit')
      const transcript = createTranscript(() => child.exitCode !== null)
      for (const output of [child.stdout, child.stderr]) output.on('data', transcript.take)
      child.once('exit', transcript.wake)
      const [, password] = await transcript.printed(/as admin with the password (\S+),/)
      const gates = [...transcript.text().matchAll(/^node-\d {2}(\S+) /gm)].map(([, gate]) => gate!)
      expect(gates).toHaveLength(2)
      for (const gate of gates) {
        const body = JSON.stringify({ user: 'admin', password })
        const headers = { 'content-type': 'application/json' }
        expect((await fetch(`${gate}/api/login`, { method: 'POST', headers, body })).status).toBe(200)
      }
      child.kill('SIGINT')
      expect(await exited).toEqual([0, null])
      expect(readdirSync(folder)).toEqual([])
      expect([...commandLines().values()].filter((line) => line.includes(folder))).toEqual([])
    },
  )
})
