import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Milliseconds for which an answer holds. */
const holds = 1_000

/** More than a page of either engine, so that a full database is noticed. */
const sizeable = 'x'.repeat(10_000)

/** Asks by writing, at most once a second; whoever asks meanwhile gets the same answer. */
export function healthOf(db: Kysely<Tables>, elapsed = () => performance.now()): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let until = Infinity

  const write = () =>
    db
      .transaction()
      .execute(async (within) => {
        await within.deleteFrom('meta').where('key', '=', 'health').execute()
        await within.insertInto('meta').values({ key: 'health', value: sizeable }).execute()
        await within.updateTable('meta').set({ value: '' }).where('key', '=', 'health').execute()
      })
      .then(
        () => true,
        () => false,
      )

  return () => {
    if (!answer || elapsed() > until) {
      until = Infinity
      answer = write().then((healthy) => {
        until = elapsed() + holds
        return healthy
      })
    }
    return answer
  }
}
