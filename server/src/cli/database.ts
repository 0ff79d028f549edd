import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../app/config/config.ts'
import { sharedConfigVersions } from '../app/shared-config.ts'
import type { ConfigVersion } from '../config/source/document-source.ts'
import { systemClock } from '../shared/time/clock.ts'
import { ServiceError, StartError } from '../shared/errors.ts'
import { systemRandom } from '../shared/random.ts'
import { openStore } from '../store/open.ts'
import { sqliteName } from '../store/sqlite/file.ts'
import type { Store } from '../store/store.ts'
import type { Given, Terminal } from './command.ts'
import { readMachineConfig, type MachineConfig } from './config.ts'
import { onlyDatabaseSecrets, usable } from './database-url.ts'
import { CommandError } from './exit-codes.ts'
import { foldersOf } from './folders.ts'
import { noLog } from './no-log.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** The configuration, and the database that it names. */
export interface Opened {
  /** The newest configuration. @throws CommandError `config` that lists its problems */
  readonly config: () => Config
  /** config.yml, absolute. */
  readonly file: string
  readonly machine: MachineConfig
  /** The newest version of the configuration that instances share; undefined: there is none. */
  readonly shared: ConfigVersion | undefined
  readonly store: Store
}

/**
 * Opens the service's database, whether or not the service is running, and closes it after the work.
 *
 * @throws CommandError `noInput`, `config` or `unavailable`, and what `work` throws
 */
export async function withDatabase(
  given: Given,
  terminal: Pick<Terminal, 'env'>,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const { configDir, mediaDir } = foldersOf(given, terminal)
  refuseUnfinishedRestore(configDir)
  const file = join(configDir, 'config.yml')
  const { env } = terminal
  const machine = await readMachineConfig({ file, mediaDir, env, lookup: onlyDatabaseSecrets })
  const own = usable(machine.loaded, file)
  const store = await open(own.database.url, configDir)
  try {
    const shared = machine.isShared ? await newestShared(store) : undefined
    const config = () =>
      shared ? usable(machine.format.loadDocument(shared.document, { written: own }), 'configuration') : own
    await work({ config, file, machine, shared, store })
  } catch (error) {
    throw withCause(error)
  } finally {
    await store.close()
  }
}

const newestShared = (store: Store): Promise<ConfigVersion | undefined> =>
  sharedConfigVersions(store, systemRandom, systemClock).versions.newest()

async function open(url: string, configDir: string): Promise<Store> {
  const file = join(configDir, sqliteName)
  if (url === 'sqlite' && !existsSync(file)) {
    throw new CommandError('noInput', `Database ${file} not found. The service creates it at its first start.`)
  }
  try {
    return await openStore({ url, configDir, log: noLog, existing: true })
  } catch (error) {
    if (error instanceof StartError && error.status === 1) throw new CommandError('unavailable', error.message)
    throw error
  }
}

/** An outage of the database as the command reports it; any other error as it is. */
export function withCause(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'unavailable') return error
  const { message, cause } = error
  return new CommandError('unavailable', cause instanceof Error ? `${message} (${cause.message})` : message)
}
