import { Client } from 'pg'
import { onTestFinishedOrLater } from './cleanups.ts'

/** Statements on a PostgreSQL database that wait inside the server, each with its row written, but not committed. */
export interface HeldRows {
  /** Whether a statement waits. */
  isWaiting(): Promise<boolean>
  /** Rolls back what waits, and lets the following statements through. */
  end(): Promise<void>
}

/** Key of the advisory lock. */
const key = 4_715_099

/**
 * Holds statements, so that a test can kill the process that sent one in the middle of it.
 *
 * @param event of a trigger, with its table: `update of instance on camera_lease`
 * @param condition on the row, as SQL: `new.instance is null`
 */
export async function holdRows(url: string, event: string, condition: string): Promise<HeldRows> {
  const client = new Client(url)
  // If a test fails, the server can end before this connection.
  client.on('error', () => {})
  await client.connect()
  let ended = false
  const end = async (): Promise<void> => {
    if (ended) return
    ended = true
    await client.query(`select pg_terminate_backend(pid) from pg_locks where ${waiting}`)
    await client.query('drop function hold_row cascade')
    await client.end()
  }
  onTestFinishedOrLater(end)
  const waiting = `locktype = 'advisory' and objid = ${key} and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await client.query(
    `select pg_advisory_lock(${key});
     create function hold_row() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(${key}); return coalesce(new, old); end $$;
     create trigger hold_row before ${event} for each row when (${condition}) execute function hold_row()`,
  )
  return {
    async isWaiting() {
      return (await client.query(`select from pg_locks where ${waiting}`)).rowCount !== 0
    },
    end,
  }
}
