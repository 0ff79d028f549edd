// Makes server/test/kept/<version>.tar.gz: the folders of a service of this version, which later versions must be able to
// open (kept-folders.test.ts), and <version>.postgres.tar.gz, of one with a PostgreSQL database. Run once for each
// release: `npm run keep-folders`. It takes more than a minute, and needs ffmpeg and PostgreSQL.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stopAll } from '../server/test/support/cleanups.ts'
import { writeEncoded } from '../server/test/support/write-encoded.ts'
import { dumpDatabase, listsOf } from '../server/test/support/kept-folders.ts'
import { postgresPrograms, startPostgres } from '../server/test/support/postgres-server.ts'
import { startGatehouse } from '../server/test/support/start-gatehouse.ts'
import { version } from '../server/src/shared/package.ts'

const demo = resolve(import.meta.dirname, '../server/src/media/demo/yard.mp4')
const video = ['-vf', 'scale=320:180', '-c:v', 'libx264', '-crf', '32', '-g', '12', '-bf', '0']

/** @param url of an empty PostgreSQL database; undefined: SQLite */
async function keep(archive: string, url?: string): Promise<void> {
  const media = mkdtempSync(join(tmpdir(), 'gatehouse-keep-'))
  const source = join(media, 'yard.mp4')
  await writeEncoded(source, ['-v', 'error', '-i', demo, ...video, '-b:a', '16k', '-f', 'mp4'], [demo])
  const service = await startGatehouse({
    config: {
      cameras: { yard: { source: 'yard.mp4', title: 'Yard' } },
      auth: { roles: { guard: ['yard'] } },
      ...(url !== undefined && { database: { url } }),
    },
    env: { MEDIA_DIR: media },
    realHashes: true,
  })
  const { internal } = service

  /** Asks until there is a response, for at most two minutes. */
  async function until<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (let tries = 0; tries < 240; tries++) {
      const found = await ask()
      if (found !== undefined) return found
      await wait(500)
    }
    throw new Error(`No ${what} after two minutes; the service printed:\n${service.output()}`)
  }

  const lists = () => listsOf(internal, Date.now())
  await until('review item with a thumbnail', async () => (await lists()).items.find(({ thumbnail }) => thumbnail))
  await until('three recordings', async () => ((await lists()).segments.length > 2 ? true : undefined))
  const { segments, items } = await lists()
  const clip = { camera: 'yard', start: segments[0]!.start + 1, end: segments[0]!.start + 4, name: 'Three seconds' }
  await internal.post('/api/exports', clip)
  await internal.put(`/api/review/${items.at(-1)!.id}/seen`, { seen: true })
  await until('export', async () => (await lists()).exports.find(({ state }) => state === 'done'))
  await service.stop()
  // Without its video, the camera is offline, and its latest frame is that of the disk.
  rmSync(source)
  const again = await service.restart({ env: { MEDIA_DIR: media } })
  const at = Date.now()
  const { gatePort, internalPort } = again
  const kept = { at, gatePort, internalPort, lists: await lists(), ...(url !== undefined && { database: url }) }
  await again.stop()

  const file = join(folder, archive)
  writeFileSync(join(service.dir, 'kept.json'), JSON.stringify(kept, null, 2))
  if (url !== undefined) {
    dumpDatabase(url, service.dir)
    // Every sandbox has one.
    rmSync(join(service.configDir, 'gatehouse.db'), { force: true })
  }
  rmSync(service.mediaDir, { recursive: true })
  cpSync(media, service.mediaDir, { recursive: true, preserveTimestamps: true })
  rmSync(media, { recursive: true })
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name']
  const parts = ['config', 'media', 'kept.json', ...(url === undefined ? [] : ['database.sql'])]
  execFileSync('tar', ['-czf', file, ...owner, '-C', service.dir, ...parts])
  console.log(file)
  await stopAll()
}

const folder = resolve(import.meta.dirname, '../server/test/kept')
mkdirSync(folder, { recursive: true })
await keep(`${version}.tar.gz`)
if (postgresPrograms === undefined) throw new Error('no PostgreSQL')
const postgres = await startPostgres(postgresPrograms)
try {
  await keep(`${version}.postgres.tar.gz`, postgres.url)
} finally {
  postgres.remove()
}
