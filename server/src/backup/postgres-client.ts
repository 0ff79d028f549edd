import type { Client, Pool } from 'pg'

/** Options without the time limits of the service's connections: a whole database takes longer than a request. */
async function optionsFor(url: string) {
  // Loaded on demand, as by the store.
  const { clientOptions } = await import('../store/postgres.ts')
  const { connectionString, application_name, types } = clientOptions(url)
  return { connectionString, application_name, types, connectionTimeoutMillis: 10_000 }
}

export async function openClient(url: string): Promise<Client> {
  const { Client } = await import('pg')
  const client = new Client(await optionsFor(url))
  // Its error ends the query that waits; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A pool of one connection. */
export async function poolFor(url: string): Promise<Pool> {
  const { Pool } = await import('pg')
  const pool = new Pool({ ...(await optionsFor(url)), max: 1 })
  pool.on('error', () => undefined)
  return pool
}
