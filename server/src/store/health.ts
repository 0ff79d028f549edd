import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Milliseconds for which a result is valid, and for which a successful write replaces another write. */
const times = { result: 1_000, write: 60_000 }

/** Larger than a page of either engine, so that a full database is noticed. */
const sizeable = 'x'.repeat(10_000)

export interface Health {
  /** Whether the database is writable, as of at most a second ago. */
  readonly healthy: () => Promise<boolean>
  /** Reports a failure: the next check writes. */
  readonly doubt: () => void
}

/** Checks by reading, once per minute by writing, and after a failure by writing until a write succeeds. */
export function healthOf(db: Kysely<Tables>, elapsed = () => performance.now()): Health {
  let result: Promise<boolean> | undefined
  let until = Infinity
  /** Start of the last successful write; undefined if something failed since. */
  let written: number | undefined

  const write = async (): Promise<void> => {
    const began = elapsed()
    await db.transaction().execute(async (within) => {
      await within.deleteFrom('meta').where('key', '=', 'health').execute()
      await within.insertInto('meta').values({ key: 'health', value: sizeable }).execute()
      await within.updateTable('meta').set({ value: '' }).where('key', '=', 'health').execute()
    })
    written = began
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
      if (!result || elapsed() > until) {
        until = Infinity
        result = check().finally(() => (until = elapsed() + times.result))
      }
      return result
    },
    doubt() {
      written = undefined
    },
  }
}
