import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../app/config/config.ts'
import { sqliteName } from '../store/sqlite/file.ts'
import { isSqliteFileInUse } from '../store/sqlite/in-use.ts'
import { CommandError } from './exit-codes.ts'

/** Milliseconds to wait for a response. */
const timeout = 2_000

/**
 * @param config the configuration of this machine, or its usable part with defaults for the rest: a service that runs can
 *   have a config.yml with problems, too. undefined: there is none
 * @throws CommandError `failure` if a service responds on its internal port, or the SQLite database is in use
 */
export async function requireStopped(
  configDir: string,
  config: Pick<Config, 'networking' | 'database'> | undefined,
): Promise<void> {
  if (config) await requireNoResponse(config)
  // With PostgreSQL, no service has it open, and on some network filesystems a file of an earlier one can't be locked.
  if (config && config.database.url !== 'sqlite') return
  const file = join(configDir, sqliteName)
  if (isSqliteFileInUse(file))
    throw new CommandError('failure', `${file} is in use, by the service or another command. Stop it first.`)
}

async function requireNoResponse({ networking }: Pick<Config, 'networking'>): Promise<void> {
  const { host, port } = networking.internal
  const local = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host
  const url = `http://${isIPv6(local) ? `[${local}]` : local}:${port}/api/health`
  const responds = await fetch(url, { signal: AbortSignal.timeout(timeout) }).then(
    () => true,
    () => false,
  )
  if (responds) throw new CommandError('failure', `The service is running (it responds at ${url}). Stop it first.`)
}
