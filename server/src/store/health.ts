import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Milliseconds for which a result is valid, and for which a successful write replaces another write. */
const times = { result: 1_000, write: 60_000 }

/** Larger than a page of either engine, so that a full database is noticed. */
const sizeable = 'x'.repeat(10_000)

export interface Health {
  /** Whether the database is writable, as of at most a second ago and after the last reported failure. */
  readonly healthy: () => Promise<boolean>
  /** Reports a failure: the next call of {@link healthy} checks, by writing. */
  readonly doubt: () => void
}

/** Checks by reading, once per minute by writing, and after a failure by writing until a write succeeds. */
export function healthOf(db: Kysely<Tables>, elapsed = () => performance.now()): Health {
  let result: Promise<boolean> | undefined
  let until = Infinity
  /** Start of the last successful write; undefined if something failed since. */
  let written: number | undefined
  /** Whether the result is good, and whether a failure was reported since its check began. */
  let isHealthy = false
  let isDoubted = false

  const write = async (): Promise<void> => {
    const began = elapsed()
    await db.transaction().execute(async (within) => {
      // Several instances can write at the same time.
      await within
        .insertInto('meta')
        .values({ key: 'health', value: sizeable })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sizeable }))
        .execute()
      await within.updateTable('meta').set({ value: '' }).where('key', '=', 'health').execute()
    })
    written = isDoubted ? undefined : began
  }
  const read = () => db.selectFrom('meta').select('key').where('key', '=', 'health').execute()

  const check = async (): Promise<boolean> => {
    const writtenRecently = written !== undefined && elapsed() - written < times.write
    try {
      await (writtenRecently ? read() : write())
      return true
    } catch {
      written = undefined
      return false
    }
  }

  return {
    healthy() {
      // A bad result stays for its second: while everything fails, not every failure causes a check.
      if (!result || (isHealthy && isDoubted) || elapsed() > until) {
        until = Infinity
        isHealthy = false
        isDoubted = false
        result = check().then((found) => {
          until = elapsed() + times.result
          isHealthy = found
          return found
        })
      }
      return result
    },
    doubt() {
      written = undefined
      isDoubted = true
    },
  }
}
