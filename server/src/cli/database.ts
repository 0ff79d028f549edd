import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../app/config/config.ts'
import { stagedFolder } from '../backup/staged.ts'
import { ServiceError, StartError } from '../shared/errors.ts'
import { openStore } from '../store/open.ts'
import { sqliteName } from '../store/sqlite-file.ts'
import type { Store } from '../store/store.ts'
import type { Given, Terminal } from './command.ts'
import { readConfig } from './config.ts'
import { onlyDatabaseSecrets, usable } from './database-url.ts'
import { CommandError } from './exit-codes.ts'
import { foldersOf } from './folders.ts'
import { noLog } from './no-log.ts'

/** The configuration, and the database that it names. */
export interface Opened {
  readonly config: Config
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
  if (existsSync(stagedFolder(configDir))) {
    throw new CommandError(
      'failure',
      'A restore is running, or was interrupted: then start the service, or restore again.',
    )
  }
  const file = join(configDir, 'config.yml')
  const { env } = terminal
  const config = usable(await readConfig({ file, mediaDir, env, lookup: onlyDatabaseSecrets }), file)
  const store = await open(config.database.url, configDir)
  try {
    await work({ config, store })
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'unavailable' ? unavailable(error) : error
  } finally {
    await store.close()
  }
}

async function open(url: string, configDir: string): Promise<Store> {
  const file = join(configDir, sqliteName)
  if (url === 'sqlite' && !existsSync(file)) {
    throw new CommandError('noInput', `There is no database ${file}. The first start of the service creates it.`)
  }
  try {
    return await openStore({ url, configDir, log: noLog, existing: true })
  } catch (error) {
    if (error instanceof StartError && error.status === 1) throw new CommandError('unavailable', error.message)
    throw error
  }
}

function unavailable({ message, cause }: ServiceError): CommandError {
  return new CommandError('unavailable', cause instanceof Error ? `${message} (${cause.message})` : message)
}
