import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinishedOrLater } from './cleanups.ts'
import { lineTo, type DatabaseLine } from './database-line.ts'
import { freePort } from './free-port.ts'
import { SERVICE_JWT_SECRET } from './jwt-secret.ts'
import { askPostgres, postgresPrograms, startPostgres } from './postgres-server.ts'
import { postgresUrl } from './programs.ts'
import type { ConfigOptions, Service } from './service.ts'
import { startGatehouse, type Gatehouse } from './start-gatehouse.ts'
import { startService, type InProcessService } from './start-service.ts'
import { createTestClock } from './test-clock.ts'

/** One instance of a cluster. */
export interface ClusterInstance<S extends Service> {
  /** Its `node.name`. */
  readonly name: string
  /** Its `node.address`: where its inner server listens. */
  readonly address: string
  /** Its connection to the database, whose faults only it notices. */
  readonly line: DatabaseLine
  /** The running service. A test that restarts it puts the new one here. */
  service: S
  /** Its id, once the first start is done. */
  id(): Promise<string>
}

export interface Cluster<S extends Service> {
  /** URL of the database without the instances' lines. */
  readonly url: string
  readonly instances: readonly ClusterInstance<S>[]
  /** Runs one query on the database. */
  ask(query: string): Promise<Record<string, unknown>[]>
  /** The name of the instance that pulls each camera now, by the database; a camera that none pulls is left out. */
  owners(): Promise<Record<string, string>>
}

export interface ClusterOptions {
  /** Number of instances; 3 by default. */
  readonly count: number
  /** config.yml of every instance. Without `cameras`, three demo cameras. */
  readonly config: Record<string, unknown>
  /** More settings of `node`, by the number of the instance. */
  readonly node: (nth: number) => Record<string, unknown>
  readonly env: Record<string, string>
  /** URL of an empty database, instead of a new one. */
  readonly url: string
}

/** Whether this machine can run a cluster: tests are skipped without a PostgreSQL server or its programs. */
export const canCluster = postgresPrograms !== undefined || postgresUrl() !== undefined

/** Three demo cameras that are pulled and recorded. */
export const demoCameras = Object.fromEntries(
  ['yard', 'door', 'office'].map((name) => [name, { source: `demo:${name}` }]),
)

/** Starts instances in the process of the test, each with its own clock, which runs and can be moved. */
export const startCluster = (options: Partial<ClusterOptions> = {}): Promise<Cluster<InProcessService>> =>
  clusterOf(options, (config) => startService(config, createTestClock({ now: Date.now(), runs: true })))

/** Starts instances as processes, for tests that stop, continue and kill them. */
export const startClusterProcesses = (options: Partial<ClusterOptions> = {}): Promise<Cluster<Gatehouse>> =>
  clusterOf(options, startGatehouse)

async function clusterOf<S extends Service>(
  { count = 3, config = {}, node = () => ({}), env = {}, url: given }: Partial<ClusterOptions>,
  start: (options: Partial<ConfigOptions>) => Promise<S>,
): Promise<Cluster<S>> {
  const url = given ?? (await freshDatabase())
  const startNth = async (nth: number): Promise<ClusterInstance<S>> => {
    const line = await lineTo(url)
    const name = `node-${nth}`
    const address = `https://127.0.0.1:${await freePort()}`
    const service = await start({
      config: {
        tls: { enabled: false },
        cameras: demoCameras,
        ...config,
        database: { url: line.url },
        node: { name, address, ...node(nth) },
      },
      env: { SERVICE_JWT_SECRET, ...env },
    })
    const id = async () => {
      const [row] = await askPostgres(url, `select id from instance where name = '${name}'`)
      return row?.['id'] as string
    }
    return { name, address, line, service, id }
  }
  // The first one creates the tables.
  const first = await startNth(0)
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, nth) => startNth(nth + 1)))
  const ask = (query: string) => askPostgres(url, query)
  return {
    url,
    instances: [first, ...others],
    ask,
    async owners() {
      const rows = await ask(
        `select camera, name from camera_lease join instance on instance.id = camera_lease.instance where valid_until > extract(epoch from clock_timestamp()) * 1000`,
      )
      return Object.fromEntries(rows.map(({ camera, name }) => [String(camera), String(name)]))
    },
  }
}

/** An empty database: on the server of `POSTGRES_URL`, otherwise on its own server. @returns its URL */
export async function freshDatabase(): Promise<string> {
  const shared = process.env['POSTGRES_URL']
  if (shared === undefined) {
    if (postgresPrograms === undefined || !existsSync(join(postgresPrograms, 'initdb')))
      throw new Error('no PostgreSQL server')
    const server = await startPostgres(postgresPrograms)
    onTestFinishedOrLater(() => Promise.resolve(server.remove()))
    return server.url
  }
  const name = `gatehouse_cluster_${randomBytes(6).toString('hex')}`
  await askPostgres(shared, `create database ${name}`)
  return shared.replace(/\/[^/]*$/, `/${name}`)
}
