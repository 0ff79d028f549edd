import { PGlite } from '@electric-sql/pglite'
import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const packages = resolve(import.meta.dirname, '../../../node_modules')
const cache = join(packages, '.cache/gatehouse-tests')

/**
 * Starts PostgreSQL in this process, without tables. Initializing its data takes three seconds of CPU time, so the
 * data directory is kept for later runs.
 */
export async function startPglite(): Promise<PGlite> {
  const { version } = JSON.parse(readFileSync(join(packages, '@electric-sql/pglite/package.json'), 'utf8')) as {
    version: string
  }
  const kept = join(cache, `pglite-${version}.tar`)
  if (existsSync(kept)) return ready(new PGlite({ loadDataDir: await openAsBlob(kept) }))
  const pglite = await ready(new PGlite())
  const data = await pglite.dumpDataDir('none')
  mkdirSync(cache, { recursive: true })
  // Complete at once, because several test processes may do this.
  writeFileSync(`${kept}.${process.pid}`, await data.bytes())
  renameSync(`${kept}.${process.pid}`, kept)
  return pglite
}

async function ready(pglite: PGlite): Promise<PGlite> {
  await pglite.waitReady
  return pglite
}
