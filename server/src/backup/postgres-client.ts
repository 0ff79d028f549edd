import type { Client, Pool } from 'pg'
import { StartError } from '../shared/errors.ts'
import { messageOf } from '../shared/caught-error.ts'

/** Options without the time limits of the service's connections: a whole database takes longer than a request. */
async function optionsFor(url: string) {
  // Loaded on demand, as by the store.
  const { clientOptions } = await import('../store/postgres/dialect.ts')
  const { connectionString, application_name, types } = clientOptions(url)
  return { connectionString, application_name, types, connectionTimeoutMillis: 10_000 }
}

/** Status of the exit when a database can't be reached (`EX_UNAVAILABLE`). */
const status = 69

/** The URL isn't shown: it may contain a password. */
function unreachable(cause: unknown): never {
  throw new StartError(`Couldn't reach the PostgreSQL database: ${messageOf(cause)}`, { status, cause })
}

/** @throws StartError */
export async function openClient(url: string): Promise<Client> {
  const { Client } = await import('pg')
  const client = new Client(await optionsFor(url))
  // Its error ends the query that waits; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect().catch(unreachable)
  return client
}

/** A pool of one connection. @throws StartError */
export async function poolFor(url: string): Promise<Pool> {
  const { Pool } = await import('pg')
  const pool = new Pool({ ...(await optionsFor(url)), max: 1 })
  pool.on('error', () => undefined)
  // Before anything is changed for it.
  const client = await pool.connect().catch(unreachable)
  client.release()
  return pool
}
