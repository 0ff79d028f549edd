import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { aroundEach, describe, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { openCluster } from '../src/cluster/cluster.ts'
import { clusterStore } from '../src/cluster/cluster-store.sql.ts'
import { systemClock } from '../src/shared/time/clock.ts'
import { openStore } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { childrenOf, commandLines } from './support/children.ts'
import { separateCleanups } from './support/cleanups.ts'
import {
  canCluster,
  demoCameras,
  freshDatabase,
  startCluster,
  startClusterProcesses,
  type Cluster,
  type ClusterInstance,
} from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { silent } from './support/null-log.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import type { Service } from './support/service.ts'
import type { Gatehouse } from './support/start-gatehouse.ts'
import { wait } from './support/wait.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const soon = { timeout: 120_000, interval: 100 }
const names = Object.keys(demoCameras)

const ownerOf = async (cluster: Cluster<Service>, camera: string) => (await cluster.owners())[camera]
const isRecording = async ({ service }: ClusterInstance<Service>, camera: string): Promise<boolean> =>
  ((await service.internal.get(`/api/cameras/${camera}`)).json as { recording: boolean }).recording

/** Whether a program of this instance reads the video of a demo camera, whatever the other instances report. */
const pulls = ({ service }: ClusterInstance<Gatehouse>, camera: string): boolean => {
  const lines = commandLines()
  return childrenOf(service.process.pid).some((pid) => lines.get(pid)?.includes(`/${camera}.ffconcat`))
}

/** One camera, of which only the recordings matter. */
const onlyYard = { cameras: { yard: { source: 'demo:yard', motion: { enabled: false } } } }

const request = async ({ service }: ClusterInstance<Service>, camera: string, instance: string | null) =>
  service.internal.put(`/api/cameras/${camera}/instance`, { instance })

/** Moves a camera, and waits until it's there. */
async function move(cluster: Cluster<Service>, camera: string, to: ClusterInstance<Service>): Promise<void> {
  const [first] = cluster.instances
  const id = await to.id()
  const knows = async () => (await listInstances(first!.service)).some((each) => each.id === id)
  await vi.waitFor(async () => expect(await knows()).toBe(true), soon)
  // On a busy machine, the database can be too slow for one request.
  await vi.waitFor(async () => expect((await request(first!, camera, id)).status).toBe(204), soon)
  await vi.waitFor(async () => expect(await ownerOf(cluster, camera)).toBe(to.name), soon)
}

const reason = (code: string): unknown =>
  expect.objectContaining({ reason: expect.objectContaining({ code }) as unknown })

const onlyCamera = [{ camera: cameraKey('yard'), labels: [] }]

interface Row {
  readonly volume: string
  readonly start: string
  readonly end: string
  readonly epoch: string
}

const recorderOn = (store: Store, nth: number) => ({
  store: clusterStore(store),
  changes: store.changes,
  self: {
    id: `id${nth}`,
    run: `run${nth}`,
    name: `recorder ${nth}`,
    address: `https://192.0.2.${nth}:7443`,
    jobs: ['recorder' as const],
    labels: [],
    capacity: null,
    version: '1.0.0',
    volume: `volume${nth}`,
  },
  replaces: null,
  disk: () => Promise.resolve(null),
  isConfigOutdated: () => false,
  onDatabaseLoss: () => 'stop' as const,
  clock: systemClock,
  log: silent,
})

/** What two instances wrote for one camera at the same time. */
async function overlaps(cluster: Cluster<Service>, camera: string): Promise<[Row, Row][]> {
  const rows = (await cluster.ask(
    `select volume, start, "end", epoch from recording where camera = '${camera}' order by start`,
  )) as unknown as Row[]
  return rows.flatMap((one) =>
    rows
      .filter(
        ({ volume, epoch }) => volume > one.volume || (volume === one.volume && Number(epoch) > Number(one.epoch)),
      )
      .filter(({ start, end }) => Number(start) < Number(one.end) && Number(end) > Number(one.start))
      .map((other): [Row, Row] => [one, other]),
  )
}

/** Epochs of a camera's segments, in the order of their starts. */
const epochs = async (cluster: Cluster<Service>, camera: string): Promise<number[]> =>
  (await cluster.ask(`select epoch from recording where camera = '${camera}' order by start`)).map(({ epoch }) =>
    Number(epoch),
  )

/** The name of its database, which is in the command lines of the server's processes. */
const databaseOf = ({ url }: Cluster<Service>): string => basename(url)

// They mostly wait for leases to end and for video, both at their own speed, each test on its own database.
describe.skipIf(!canCluster)('leases of real instances', { concurrent: true }, () => {
  aroundEach(separateCleanups)

  test('[NODE-2] an instance that was stopped for longer than its leases writes nothing beside its successor', async ({
    expect,
  }) => {
    const cluster = await startClusterProcesses({ count: 2, config: onlyYard })
    const [first, second] = cluster.instances
    await move(cluster, 'yard', second!)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
    await wait(4000, 'it records a part of a segment')
    second!.service.process.kill('SIGSTOP')
    expect((await request(first!, 'yard', null)).status).toBe(204)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(first!.name)
    await expect.poll(() => isRecording(first!, 'yard'), soon).toBe(true)
    await wait(12_000, 'the successor writes a segment')
    second!.service.process.kill('SIGCONT')
    await second!.service.printed(/not renewed in time|cameras taken/)
    await expect.poll(() => pulls(second!, 'yard'), soon).toBe(false)
    await expect.poll(async () => (await epochs(cluster, 'yard')).length, soon).toBeGreaterThan(0)
    await wait(12_000, 'the stopped one would have written its segment')
    expect(await overlaps(cluster, 'yard')).toEqual([])
    const written = await epochs(cluster, 'yard')
    expect(written).toEqual(written.toSorted((one, other) => one - other))
  })

  test('[NODE-2] an instance that loses the database stops pulling, and another one takes over', async ({ expect }) => {
    const cluster = await startClusterProcesses({ count: 2, config: onlyYard })
    const [first, second] = cluster.instances
    await move(cluster, 'yard', second!)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
    second!.line.partition(true)
    const elapsed = stopwatch(databaseOf(cluster), first!.service.process.pid!)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(first!.name)
    expect(elapsed()).toBeLessThan(10_000)
    const { process, output } = second!.service
    await within(1000, () => expect(pulls(second!, 'yard'), output().slice(-5000)).toBe(false), process.pid!)
    await expect.poll(() => isRecording(first!, 'yard'), soon).toBe(true)
    second!.line.partition(false)
    // An admin moved it there, so it goes back.
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(second!.name)
    expect(await overlaps(cluster, 'yard')).toEqual([])
  })

  test('[NODE-2] with `on_database_loss: keep`, an instance that loses the database goes on recording, indexes that afterward, and indexes nothing beside its successor', async ({
    expect,
  }) => {
    // No other instance can take the door.
    const door = { source: 'demo:door', motion: { enabled: false }, labels: ['house'] }
    const cluster = await startClusterProcesses({
      count: 2,
      config: { cameras: { ...onlyYard.cameras, door } },
      node: (nth) => ({ on_database_loss: 'keep', ...(nth === 1 && { labels: ['house'] }) }),
    })
    const [first, second] = cluster.instances
    await move(cluster, 'yard', second!)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
    await expect.poll(() => isRecording(second!, 'door'), soon).toBe(true)
    second!.line.partition(true)
    const cutAt = Date.now()
    expect((await request(first!, 'yard', null)).status).toBe(204)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(first!.name)
    await expect.poll(() => isRecording(first!, 'yard'), soon).toBe(true)
    expect(pulls(second!, 'yard')).toBe(true)
    await wait(12_000, 'both record a segment')
    expect(pulls(second!, 'yard')).toBe(true)
    second!.line.partition(false)
    const healedAt = Date.now()
    await expect.poll(() => second!.service.output(), soon).toMatch(/instance reported again/)
    await wait(12_000, 'both have written what they recorded')
    expect(await overlaps(cluster, 'yard')).toEqual([])
    const indexed = await cluster.ask(`select start, "end" from recording where camera = 'door' order by start`)
    const times = indexed.map(({ start, end }) => [Number(start), Number(end)] as const)
    expect(times[0]![0]).toBeLessThan(cutAt)
    expect(times.at(-1)![1]).toBeGreaterThan(healedAt)
    const gaps = times.slice(1).map(([start], nth) => start - times[nth]![1])
    expect(Math.max(...gaps)).toBeLessThan(100)
  })

  test('[CAM-4] [NODE-1] an instance that was without the database while a camera was replaced records the new one', async ({
    expect,
  }) => {
    const door = { source: 'demo:door', enabled: false }
    const cluster = await startClusterProcesses({ count: 2, config: { cameras: { ...onlyYard.cameras, door } } })
    const [first, second] = cluster.instances
    const { internal } = first!.service
    await move(cluster, 'yard', second!)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
    second!.line.partition(true)
    const anyVersion = { 'if-match': '*' }
    expect((await internal.delete('/api/cameras/yard', anyVersion)).status).toBe(204)
    expect((await internal.post('/api/cameras', { name: 'yard', source: 'demo:office' }, anyVersion)).status).toBe(201)
    await expect.poll(async () => Object.keys(await cluster.owners()), soon).toEqual([expect.stringMatching(/^yard~/)])
    const [key] = Object.keys(await cluster.owners())
    second!.line.partition(false)
    await vi.waitFor(async () => {
      expect((await request(first!, 'yard', await second!.id())).status).toBe(204)
      expect(await ownerOf(cluster, key!)).toBe(second!.name)
    }, soon)
    await expect.poll(() => pulls(second!, 'office'), soon).toBe(true)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
  })

  test('[NODE-2] `on_database_loss: keep`, set while the database is unavailable, applies immediately and stays', async ({
    expect,
  }) => {
    const cluster = await startClusterProcesses({ count: 2, config: onlyYard })
    const [first, second] = cluster.instances
    await move(cluster, 'yard', second!)
    await expect.poll(() => isRecording(second!, 'yard'), soon).toBe(true)
    second!.line.partition(true)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(first!.name)
    await expect.poll(() => pulls(second!, 'yard'), soon).toBe(false)
    const { configFile, output } = second!.service
    const settings = parse(readFileSync(configFile, 'utf8')) as { node: object }
    writeFileSync(configFile, stringify({ ...settings, node: { ...settings.node, on_database_loss: 'keep' } }))
    await expect.poll(() => pulls(second!, 'yard'), soon).toBe(true)
    second!.line.partition(false)
    await expect.poll(output, soon).toMatch(/instance reported again/)
    // An admin moved it there, so it goes back.
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(second!.name)
    second!.line.partition(true)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(first!.name)
    expect(pulls(second!, 'yard')).toBe(true)
    expect(output().match(/config reloaded/g)).toHaveLength(1)
  })

  test('[NODE-2] cameras follow labels, moves, draining and a clean stop', async ({ expect }) => {
    const cluster = await startCluster({
      config: { cameras: { ...demoCameras, door: { source: 'demo:door', labels: ['house'] } } },
      node: (nth) => (nth === 1 ? { labels: ['house'] } : nth === 2 ? { capacity: 1 } : {}),
    })
    const [first, labeled, small] = cluster.instances
    await expect.poll(async () => Object.keys(await cluster.owners()).sort(), soon).toEqual(names.toSorted())
    expect(await ownerOf(cluster, 'door')).toBe(labeled!.name)
    await move(cluster, 'yard', small!)

    const refused = await request(first!, 'door', await first!.id())
    expect([refused.status, refused.json]).toEqual([409, reason('instance-without-labels')])
    expect((await request(first!, 'door', 'unknown')).status).toBe(404)
    expect((await request(first!, 'garage', null)).status).toBe(404)
    const vera = await first!.service.user('vera')
    const move403 = await vera.put('/api/cameras/yard/instance', { instance: null })
    const list403 = await vera.get('/api/instances')
    expect([move403.status, list403.status]).toEqual([403, 403])

    const drain = `/api/instances/${await small!.id()}/drain`
    expect((await vera.post(drain)).status).toBe(403)
    expect((await first!.service.internal.post(drain)).status).toBe(204)
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).not.toBe(small!.name)
    const stateOf = async (name: string) =>
      (await listInstances(first!.service)).find((each) => each.name === name)?.state
    await expect.poll(() => stateOf(small!.name), soon).toBe('drained')
    const full = await request(first!, 'yard', await small!.id())
    expect([full.status, full.json]).toEqual([409, reason('instance-gets-no-camera')])
    expect((await first!.service.internal.delete(drain)).status).toBe(204)
    // It was moved there.
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBe(small!.name)
    await expect.poll(() => stateOf(small!.name), soon).toBe('running')

    await small!.service.stop()
    const elapsed = stopwatch(databaseOf(cluster))
    await expect.poll(() => ownerOf(cluster, 'yard'), soon).toBeDefined()
    expect(elapsed()).toBeLessThan(3000)
    expect(await ownerOf(cluster, 'yard')).not.toBe(small!.name)
    expect(await stateOf(small!.name)).toBe('away')
    const actions = (await first!.service.internal.get('/api/audit?limit=100')).json as {
      entries: { action: string; target: string; detail: string | null }[]
    }
    for (const [action, target] of [
      ['camera.move', 'yard'],
      ['instance.drain', small!.name],
      ['instance.undrain', small!.name],
    ])
      expect(actions.entries).toContainEqual(expect.objectContaining({ action, target }))
  })

  test('[NODE-2] six recorders with 300 cameras need at most ten statements per second for instances, leases and announcements', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await freshDatabase()
    const toPull = Array.from({ length: 300 }, (_, nth) => ({ camera: cameraKey(`camera${nth}`), labels: [] }))
    const started = []
    for (let nth = 0; nth < 6; nth += 1) {
      const store = await openStore({ url, configDir: '/nowhere', log: silent })
      store.ready()
      const cluster = await openCluster({ ...recorderOn(store, nth), toPull: () => toPull })
      onTestFinished(async () => {
        await cluster.stop()
        await store.close()
      })
      started.push(store)
    }
    const owned = async () =>
      Number((await askPostgres(url, 'select count(*) from camera_lease where instance is not null'))[0]?.['count'])
    await expect.poll(owned, soon).toBe(300)
    // The server counts each statement outside a transaction as one. It counts late, and its own vacuum too.
    const counted = async () =>
      Number(
        (await askPostgres(url, `select xact_commit from pg_stat_database where datname = current_database()`))[0]?.[
          'xact_commit'
        ],
      )
    const perSecond = async () => {
      const [before, from] = [await counted(), performance.now()]
      await wait(10_000, 'the time over which statements are counted')
      return ((await counted()) - before) / ((performance.now() - from) / 1000)
    }
    await wait(3000, 'the last statements of the start are counted')
    await expect.poll(perSecond, soon).toSatisfy((count: number) => count > 1 && count < 10)
    for (const store of started) await expect.poll(() => store.changes.isListening(), soon).toBe(true)
  })

  test('[NODE-2] a dead instance’s camera is taken within ten seconds, also if the database’s clock was set back an hour', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await freshDatabase()
    const store = await openStore({ url, configDir: '/nowhere', log: silent })
    onTestFinished(() => store.close())
    store.ready()
    const later = '(extract(epoch from clock_timestamp()) * 1000)::bigint + 3600000'
    await askPostgres(
      url,
      `insert into instance (id, name, started_at, seen_at, roles, address, jobs, labels, version, volume, load)
        values ('dead', 'dead', 0, ${later}, '[]', 'https://192.0.2.9:7443', '["recorder"]', '[]', '1.0.0', 'dead', '{}');
       insert into camera_lease (camera, instance, epoch, valid_until, since) values ('yard', 'dead', 7, ${later}, 0)`,
    )
    const elapsed = stopwatch(basename(url))
    const cluster = await openCluster({
      ...recorderOn(store, 1),
      toPull: () => [{ camera: cameraKey('yard'), labels: [] }],
    })
    onTestFinished(() => cluster.stop())
    expect(cluster.instances.find('dead')?.state).toBe('running')
    await expect.poll(() => cluster.leases.ownEpoch(cameraKey('yard')), soon).toBe(8)
    expect(elapsed()).toBeLessThan(10_000)
    expect(cluster.instances.find('dead')?.state).toBe('away')
  })

  test('[NODE-2] of two runs with one id, a second start fails, and one that was replaced has no cameras until the other has ended', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await freshDatabase()
    const opened = async (run: string, replaces: string | null) => {
      const store = await openStore({ url, configDir: '/nowhere', log: silent })
      onTestFinished(() => store.close())
      store.ready()
      const { self, ...deps } = recorderOn(store, 1)
      const cluster = await openCluster({ ...deps, self: { ...self, run }, replaces, toPull: () => onlyCamera })
      onTestFinished(() => cluster.stop())
      return cluster
    }
    const original = await opened('original', null)
    await expect.poll(() => original.leases.ownEpoch(cameraKey('yard')), soon).toBe(1)
    await expect(opened('clone', null)).rejects.toThrow('.instance')
    expect(original.leases.ownEpoch(cameraKey('yard'))).toBe(1)
    // As after the original was cut off for long enough.
    const clone = await opened('clone', 'original')
    await expect.poll(() => clone.leases.ownEpoch(cameraKey('yard')), soon).toBe(2)
    await expect.poll(() => original.leases.ownEpoch(cameraKey('yard')), soon).toBeUndefined()
    await wait(5000, 'the original reports twice more')
    expect([original.leases.ownEpoch(cameraKey('yard')), clone.leases.ownEpoch(cameraKey('yard'))]).toEqual([
      undefined,
      2,
    ])
    await clone.stop()
    await expect.poll(() => original.leases.ownEpoch(cameraKey('yard')), soon).toBe(3)
  })

  test('[NODE-2] of two instances that start at the same time with one volume, the later one is refused and keeps no camera', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await freshDatabase()
    const opened = async (nth: number) => {
      const store = await openStore({ url, configDir: '/nowhere', log: silent })
      onTestFinished(() => store.close())
      store.ready()
      const { self, ...deps } = recorderOn(store, nth)
      const cluster = await openCluster({ ...deps, self: { ...self, volume: 'copied' }, toPull: () => onlyCamera })
      onTestFinished(() => cluster.stop())
      return cluster
    }
    const first = await opened(1)
    await expect.poll(() => first.leases.ownEpoch(cameraKey('yard')), soon).toBe(1)
    await expect(opened(2)).rejects.toMatchObject({ status: 1, message: expect.stringContaining('.library') as string })
    expect(first.leases.ownEpoch(cameraKey('yard'))).toBe(1)
    const rows = await askPostgres(url, 'select id, stopped_at is null as running from instance order by id')
    expect(rows).toEqual([
      { id: 'id1', running: true },
      { id: 'id2', running: false },
    ])
    // As if it had been killed, before the database's clock was set back.
    await first.stop()
    await askPostgres(url, "update instance set stopped_at = null, seen_at = seen_at + 3600000 where id = 'id1'")
    const second = await opened(2)
    await expect.poll(() => second.leases.ownEpoch(cameraKey('yard')), soon).toBe(2)
  })

  test('[NODE-2] instances without addresses pull every camera, and say so once', async ({ expect }) => {
    const { instances, owners } = await startCluster({ count: 2, node: () => ({ address: null }) })
    for (const each of instances) {
      await expect.poll(() => isRecording(each, 'yard'), soon).toBe(true)
      await each.service.printed(/this one pulls every camera/)
      expect(each.service.output().match(/this one pulls every camera/g)).toHaveLength(1)
    }
    expect(await owners()).toEqual({})
  })
})
