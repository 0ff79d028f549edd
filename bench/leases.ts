import { setTimeout as sleep } from 'node:timers/promises'
import { clusterStore } from '../server/src/cluster/cluster-store.sql.ts'
import { openCluster, type Cluster } from '../server/src/cluster/cluster.ts'
import { recordingStore } from '../server/src/recordings/index/recording-store.sql.ts'
import { batchDelay, createSegmentBatch } from '../server/src/recordings/index/segment-batch.ts'
import { systemClock } from '../server/src/shared/time/clock.ts'
import { openStore } from '../server/src/store/open.ts'
import type { Store } from '../server/src/store/store.ts'
import { silent } from '../server/test/support/null-log.ts'
import {
  askPostgres,
  postgresPrograms,
  startPostgres,
  type PostgresServer,
} from '../server/test/support/postgres-server.ts'
import type { Bench, Figure } from './figure.ts'
import { cameraKey } from '../server/src/shared/camera/camera-keys.ts'

/** Instances and cameras of each measurement. */
const sizes = [
  [6, 300],
  [12, 600],
  [25, 1000],
] as const

/** Milliseconds of a recorded segment, and for which statements are counted. */
const times = { segment: 10_000, counted: 20_000, quick: 10_000, settle: 120_000, look: 50 }

/** An instance without video: its leases, and what it writes into the index. */
interface SimulatedInstance {
  readonly id: string
  readonly store: Store
  readonly cluster: Cluster
  /** From now on it reaches the database no more. */
  die(): void
}

/** Counts statements of instances that share cameras, without video, and measures how long a dead one's cameras wait. */
export const leases: Bench = {
  name: 'leases',
  async run({ quick, print }) {
    if (!postgresPrograms) throw new Error('no PostgreSQL')
    const figures: Figure[] = []
    for (const [instances, cameras] of quick ? sizes.slice(0, 1) : sizes) {
      print(`leases: ${cameras} cameras on ${instances} instances …`)
      const postgres = await startPostgres(postgresPrograms)
      try {
        await countStatements(postgres)
        const measured = await measure(postgres, instances, cameras, quick ? times.quick : times.counted)
        for (const { what, ours } of measured) print(`  ${what}: ${ours}`)
        figures.push(...measured)
      } finally {
        postgres.remove()
      }
    }
    return figures
  },
}

/** Has PostgreSQL count its statements. */
async function countStatements(postgres: PostgresServer): Promise<void> {
  await askPostgres(postgres.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await askPostgres(postgres.url, 'alter system set max_connections = 600')
  await askPostgres(postgres.url, 'checkpoint')
  postgres.stop()
  postgres.start()
  await askPostgres(postgres.url, 'create extension pg_stat_statements')
}

async function measure({ url }: PostgresServer, count: number, cameras: number, duration: number): Promise<Figure[]> {
  const names = Array.from({ length: cameras }, (_, nth) => `camera_${nth}`)
  const instances: SimulatedInstance[] = []
  const toPull: string[] = []
  for (let nth = 0; nth < count; nth += 1) instances.push(await startInstance(url, nth, toPull))
  // Only now, so that the first instance doesn't take all of them.
  toPull.push(...names)
  for (const { cluster } of instances) cluster.changed()
  const stopIndexing = instances.map((instance) => indexSegments(instance, names))
  const ownedBy = async (condition: string): Promise<number> => {
    const [row] = await askPostgres(
      url,
      `select count(*)::integer as count from camera_lease
      where valid_until > extract(epoch from clock_timestamp()) * 1000 and ${condition}`,
    )
    return Number(row?.['count'])
  }
  try {
    await until(async () => (await ownedBy('true')) === cameras)
    await sleep(times.segment)
    await askPostgres(url, 'select pg_stat_statements_reset()')
    await sleep(duration)
    const seconds = duration / 1000
    const counted = await askPostgres(
      url,
      `select query like '%camera_lease%' as leases, query like '%recording%' as index,
      sum(calls)::integer as calls, sum(total_exec_time) as spent from pg_stat_statements
      where query not like '%pg_stat_statements%' group by 1, 2`,
    )
    const sum = (rows: typeof counted, column: 'calls' | 'spent') =>
      rows.reduce((total, row) => total + Number(row[column]), 0) / seconds
    const ofLeases = counted.filter((row) => row['leases'] === true && row['index'] !== true)
    const ofIndex = counted.filter((row) => row['index'] === true)
    const checks = counted.filter((row) => row['leases'] !== true && row['index'] !== true)
    const [dead] = instances
    if (!dead) throw new Error('unreachable: there is at least one')
    const had = await ownedBy(`instance = '${dead.id}'`)
    const died = performance.now()
    dead.die()
    await until(async () => (await ownedBy(`instance <> '${dead.id}'`)) === cameras)
    const took = (performance.now() - died) / 1000
    const about = `${cameras} cameras on ${count} instances`
    return [
      figure(`${about}: statements per second of the leases`, `${sum(ofLeases, 'calls').toFixed(1)} /s`),
      figure(`${about}: time of these in PostgreSQL`, `${(sum(ofLeases, 'spent') / 10).toFixed(1)} % of a core`),
      figure(`${about}: checks per second of LISTEN connections`, `${sum(checks, 'calls').toFixed(1)} /s`),
      figure(`${about}: statements per second of the index`, `${sum(ofIndex, 'calls').toFixed(1)} /s`),
      figure(`${about}: until the ${had} cameras of a dead one are taken over`, `${took.toFixed(1)} s`),
    ]
  } finally {
    for (const stop of stopIndexing) stop()
    await Promise.all(instances.map(({ cluster }) => cluster.stop().catch(() => undefined)))
    await Promise.all(instances.map(({ store }) => store.close()))
  }
}

const figure = (what: string, ours: string): Figure => ({
  what,
  ours,
  peer: '',
  ratio: undefined,
  target: undefined,
  met: undefined,
})

async function startInstance(url: string, nth: number, names: readonly string[]): Promise<SimulatedInstance> {
  const id = String(nth).padStart(32, '0')
  const store = await openStore({ url, configDir: '/nowhere', log: silent })
  store.ready()
  let dead = false
  const unlessDead =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      dead ? Promise.reject(new Error('dead')) : call(...args)
  const rows = clusterStore(store)
  const cluster = await openCluster({
    store: { ...rows, heartbeat: unlessDead(rows.heartbeat), take: unlessDead(rows.take), stop: unlessDead(rows.stop) },
    changes: store.changes,
    self: {
      id,
      run: id,
      name: `instance ${nth}`,
      address: `https://192.0.2.${nth + 1}:7443`,
      jobs: ['gate', 'recorder'],
      labels: [],
      capacity: null,
      version: '0',
      volume: id,
    },
    replaces: null,
    disk: () => Promise.resolve(null),
    isConfigOutdated: () => false,
    toPull: () => names.map((name) => ({ camera: cameraKey(name), labels: [] })),
    onDatabaseLoss: () => 'stop',
    clock: systemClock,
    log: silent,
  })
  return { id, store, cluster, die: () => void (dead = true) }
}

/** Writes a segment of each own camera into the index as it ends, as the recorder does. @returns stops it */
function indexSegments({ id, store, cluster }: SimulatedInstance, names: readonly string[]): () => void {
  const { add: write } = recordingStore(store, id, () => undefined)
  const batch = createSegmentBatch({ write, delay: batchDelay, clock: systemClock })
  const add = (camera: string): void => {
    const epoch = cluster.leases.ownEpoch(cameraKey(camera))
    if (epoch === undefined) return
    const start = Date.now() - times.segment
    const file = `${camera}/${start}.mp4`
    const segment = {
      camera: cameraKey(camera),
      start,
      end: start + times.segment,
      bytes: 1e6,
      initBytes: 800,
      motion: 0,
      streamId: 1,
    }
    batch.add(() => ({ ...segment, file, epoch })).catch(() => undefined)
  }
  let nth = 0
  return systemClock.every(times.segment / names.length, () => {
    const camera = names[nth % names.length]
    nth += 1
    if (camera !== undefined) add(camera)
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + times.settle
  while (!(await condition())) {
    if (performance.now() > limit) throw new Error('the leases did not settle')
    await sleep(times.look)
  }
}
