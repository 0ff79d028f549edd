import { StartError } from '../../shared/errors.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { messageOf } from '../../shared/caught-error.ts'
import { createStore, prepareOrClose } from '../create-store.ts'
import { migrate, migrationNames, requireMigrated } from '../migrations.ts'
import type { Store } from '../store.ts'
import { sqliteChanges } from './changes.ts'
import { convertSqlite } from './conversion.ts'
import { analyzeDaily } from './daily-statistics.ts'
import { createWriteMutex, sqliteDialect, writeAlone } from './dialect.ts'
import { prepareSqliteFile, sqliteFile } from './file.ts'
import { regularCheckpoints } from './regular-checkpoints.ts'
import { shrinkHourly } from './shrinking.ts'

export interface SqliteDeps extends Runtime {
  readonly path: string
  /** Only opens a file that exists and has the tables of this version. */
  readonly existing: boolean
}

/**
 * Opens the database in a file, which is created if missing.
 *
 * @throws StartError with status 1 if the file can't be used
 */
export async function openSqlite({ path, existing, clock, log }: SqliteDeps): Promise<Store> {
  let migrated = false
  const file = sqliteFile(
    path,
    (reader) => {
      // The file may have been replaced by any other file, or another version may be migrating it.
      if (!migrated) return
      const done = reader.prepare('select name from migration order by name').all()
      if (done.map(({ name }) => name).join() !== [...migrationNames].sort().join()) {
        throw new Error('the database in the file has another version')
      }
    },
    log,
  )
  const toStartError = (cause: unknown) =>
    new StartError(`Couldn't use the database ${path}: ${messageOf(cause)}`, { status: 1, cause })
  try {
    if (!existing) prepareSqliteFile(path)
  } catch (cause) {
    throw toStartError(cause)
  }
  const mutex = createWriteMutex()
  const alone = <T>(work: () => T) => writeAlone(file, mutex, work)
  const changes = sqliteChanges(file, log)
  // What the service does to its file, and the command `gatehouse` doesn't.
  const checkpoints = existing ? undefined : regularCheckpoints({ path, log })
  const jobs = checkpoints
    ? [shrinkHourly({ file, alone, clock, log }), analyzeDaily({ path, file, alone, clock, log }), checkpoints]
    : []
  const stop = async () => {
    changes.stop()
    await Promise.all(jobs.map((job) => job.stop()))
  }
  const store = createStore({
    dialect: sqliteDialect(file, mutex, checkpoints?.committed),
    engine: 'sqlite',
    changes,
    clock,
    log,
    stop,
  })
  const prepare = existing ? requireMigrated : (opened: Store) => migrate(opened, clock.now())
  await prepareOrClose(store, prepare, toStartError)
  if (!existing) await convertSqlite({ path, file, alone, log })
  // SQLite names the columns of a result before it notices that another connection has changed the tables.
  file.drop()
  migrated = true
  changes.start()
  return store
}
