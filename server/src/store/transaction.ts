import type { Kysely, Transaction } from 'kysely'
import { isUnavailable, ServiceError } from '../shared/errors.ts'
import { sqlState } from './sql-state.ts'
import type { Tables } from './tables.ts'

/** Maximum attempts of a transaction that PostgreSQL aborted because of a conflict with another. */
const maxAttempts = 3

/** `unknown`: the commit failed, and may take effect later all the same. */
export type Outcome = 'committed' | 'failed' | 'unknown'

/**
 * Runs a transaction, again after a deadlock.
 *
 * @param ended gets each attempt, once it's known how it ended and before the result is returned
 */
export async function transaction<T>(
  db: Kysely<Tables>,
  work: (within: Transaction<Tables>) => Promise<T>,
  ended: (within: Transaction<Tables>, outcome: Outcome) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const begun: { within?: Transaction<Tables>; isDone?: boolean } = {}
    const end = (outcome: Outcome): void => {
      if (begun.within) ended(begun.within, outcome)
    }
    try {
      const result = await db.transaction().execute(async (within) => {
        begun.within = within
        const result = await work(within)
        begun.isDone = true
        return result
      })
      end('committed')
      return result
    } catch (error) {
      const isAborted = isDeadlock(error)
      // Without a commit, the server can only roll it back.
      const isUnknown = begun.isDone && !isAborted && isUnavailable(error)
      end(isUnknown ? 'unknown' : 'failed')
      if (attempt >= maxAttempts || !isAborted) throw error
    }
  }
}

function isDeadlock(error: unknown): boolean {
  const code = sqlState(error instanceof ServiceError ? error.cause : error)
  return code === '40P01' || code === '40001'
}
