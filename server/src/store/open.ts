import { join } from 'node:path'
import { systemClock } from '../shared/time/clock.ts'
import { StartError } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import { isPostgresUrl, openPostgresUrl } from './postgres/open.ts'
import { sqliteName } from './sqlite/file.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

export interface StoreDeps extends Pick<Runtime, 'log'>, Partial<Pick<Runtime, 'clock'>> {
  /** `sqlite`, or `postgres://…`. */
  readonly url: string
  /** Folder of `gatehouse.db`. */
  readonly configDir: string
  /** Only opens a database that exists and has the tables of this version. */
  readonly existing?: boolean
}

/**
 * Opens the database and migrates its tables.
 *
 * @throws StartError with status 78 if `url` is invalid, 1 if the database can't be reached or used
 */
export async function openStore({
  url,
  configDir,
  log,
  clock = systemClock,
  existing = false,
}: StoreDeps): Promise<Store> {
  if (url === 'sqlite') return openSqlite({ path: join(configDir, sqliteName), existing, clock, log })
  if (isPostgresUrl(url)) return openPostgresUrl({ url, existing, clock, log })
  // The URL may contain a password, so it isn't shown.
  throw new StartError('database.url is neither `sqlite` nor a URL that begins with `postgres://`')
}
