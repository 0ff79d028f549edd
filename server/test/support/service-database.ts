import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wait } from './wait.ts'

/** A service; one in the process of the test has its clock. */
interface DatabaseOwner {
  readonly configDir: string
  readonly clock?: unknown
}

/** Milliseconds to wait for a service's write lock. */
const timeout = 60_000

/**
 * Opens a service's database file next to the running service. Waits for the writes of a service in its own process:
 * without that, any statement can fail with "database is locked". A service in this process couldn't release its lock
 * while this waits, so use {@link changeDatabase} to write to its database.
 */
export const openDatabase = (
  { configDir, clock }: DatabaseOwner,
  options: { readonly readOnly?: boolean } = {},
): DatabaseSync =>
  new DatabaseSync(join(configDir, 'gatehouse.db'), { ...options, timeout: clock === undefined ? timeout : 0 })

/** Writes to the database of a service that runs in this process, as one transaction. Waits without blocking it. */
export async function changeDatabase(service: DatabaseOwner, write: (database: DatabaseSync) => void): Promise<void> {
  const database = openDatabase(service)
  try {
    for (const until = Date.now() + timeout; !hasBegun(database);) {
      if (Date.now() > until) throw new Error('the database stays locked')
      // The lock is not announced.
      await wait(5, 'the lock is not announced')
    }
    write(database)
    database.exec('commit')
  } finally {
    // Rolls back what wasn't committed.
    database.close()
  }
}

function hasBegun(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate')
    return true
  } catch (error) {
    if (error instanceof Error && /locked/.test(error.message)) return false
    throw error
  }
}
