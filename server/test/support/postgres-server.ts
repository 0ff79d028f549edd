import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** A separate PostgreSQL server for one test, which the test can stop and start. */
export interface PostgresServer {
  readonly url: string
  stop(): void
  start(): void
  /** Stops it permanently. */
  remove(): void
}

/** Debian's folder of the newest PostgreSQL programs, or the one in PATH; undefined if not installed. */
export const postgresPrograms = [
  ...globSync('/usr/lib/postgresql/*/bin').sort((one, other) => versionIn(other) - versionIn(one)),
  ...(process.env['PATH'] ?? '').split(delimiter),
].find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'pg_ctl')))

function versionIn(debianBin: string): number {
  return Number.parseInt(debianBin.split('/')[4] ?? '', 10)
}

/** `runuser` is in a folder that is only in root's PATH after a login: `su` and containers leave it out. */
const env = { ...process.env, PATH: [process.env['PATH'] ?? '', '/usr/sbin', '/sbin'].join(delimiter) }

export interface PostgresOptions {
  /** The URL of a server that this one copies, and then follows as a hot standby. */
  readonly standbyOf: string
  /** Further arguments of the server. */
  readonly settings: string
}

export async function startPostgres(
  bin: string,
  { standbyOf, settings = '' }: Partial<PostgresOptions> = {},
): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  const data = join(dir, 'data')
  const port = await freePort()
  mkdirSync(data, { mode: 0o700 })
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chmodSync(dir, 0o755)
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
    )
    chownSync(data, uid ?? 0, gid ?? 0)
  }
  const run = (program: string, ...args: string[]) => {
    const line = [join(bin, program), '-D', data, ...args]
    const [command, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...line] : line
    const { status, error } = spawnSync(command!, rest, { cwd: dir, env, stdio: 'ignore', timeout: 60_000 })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? status}`)
  }
  const options = `-c listen_addresses=127.0.0.1 -p ${port} -c unix_socket_directories='' -c fsync=off ${settings}`
  const server: PostgresServer = {
    url: `postgres://gatehouse@127.0.0.1:${port}/postgres`,
    start: () => run('pg_ctl', '-w', '-l', join(data, 'log'), '-o', options, 'start'),
    stop: () => run('pg_ctl', '-w', '-m', 'immediate', 'stop'),
    remove() {
      if (statSync(join(data, 'postmaster.pid'), { throwIfNoEntry: false })) server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
  if (standbyOf === undefined) run('initdb', '-U', 'gatehouse', '--auth=trust', '--encoding=UTF8', '--no-sync')
  else run('pg_basebackup', '-R', '-d', standbyOf, '--checkpoint=fast', '--no-sync')
  server.start()
  return server
}

/** Runs one query on a server. */
export async function askPostgres(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}
