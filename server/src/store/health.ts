import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Milliseconds for which a result holds, and for which a write vouches for the next. */
const times = { result: 1_000, write: 60_000 }

/** More than a page of either engine, so that a full database is noticed. */
const sizeable = 'x'.repeat(10_000)

export interface Health {
  /** Whether the database can be written, as found at most a second ago. */
  readonly healthy: () => Promise<boolean>
  /** Something failed: the next check writes. */
  readonly doubt: () => void
}

/** Checks by reading, once a minute by writing, and after a failure by writing until that works again. */
export function healthOf(db: Kysely<Tables>, elapsed = () => performance.now()): Health {
  let result: Promise<boolean> | undefined
  let until = Infinity
  /** When the last write that worked began; undefined where something failed since. */
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
    const vouched = written !== undefined && elapsed() - written < times.write
    try {
      await (vouched ? read() : write())
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
