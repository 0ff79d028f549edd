import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Export, ExportPage } from '../../src/exports/export-response.ts'
import type { ReviewItemResponse, ReviewPage } from '../../src/review/review-response.ts'
import { askPostgres, postgresPrograms } from './postgres-server.ts'
import type { SegmentSeen } from './seen-recordings.ts'
import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

/** What a service shows of its media folder, as an admin gets it. */
export interface Lists {
  readonly segments: readonly SegmentSeen[]
  readonly items: readonly ReviewItemResponse[]
  readonly exports: readonly Export[]
}

/** @param at within an hour of the recordings, Unix milliseconds */
export async function listsOf(client: TestClient, at: number): Promise<Lists> {
  const seconds = at / 1000
  const paths = [
    `/api/cameras/yard/recordings?after=${seconds - 3600}&before=${seconds + 3600}`,
    '/api/review',
    '/api/exports',
  ]
  const [recordings, review, exports] = await Promise.all(paths.map(async (path) => (await client.get(path)).json))
  return {
    segments: (recordings as { segments: SegmentSeen[] }).segments,
    items: (review as ReviewPage).items,
    exports: (exports as ExportPage).items,
  }
}

/** The folders of a stopped service, made by `npm run keep-folders`, with the one camera `yard`, which is offline. */
export interface KeptFolders extends Pick<Service, 'configDir' | 'mediaDir' | 'gatePort' | 'internalPort'> {
  /** When they were made, Unix milliseconds. */
  readonly at: number
  readonly lists: Lists
  /** The URL of the PostgreSQL database that they had; undefined: SQLite, which is one of the folders' files. */
  readonly database?: string
}

const dumpFile = 'database.sql'

/** Writes the contents of a PostgreSQL database to a folder, as SQL. */
export function dumpDatabase(url: string, dir: string): void {
  const dump = join(postgresPrograms ?? '', 'pg_dump')
  const text = execFileSync(dump, ['--inserts', '--no-owner', '--no-privileges', url], { encoding: 'utf8' })
  // Lines that only psql understands.
  writeFileSync(join(dir, dumpFile), text.replace(/^\\.*\n/gm, ''))
}

/** Fills an empty database with the contents of the one that kept folders had, which use it from then on. */
export async function restoreDatabase({ configDir, database }: KeptFolders, url: string): Promise<void> {
  await askPostgres(url, readFileSync(join(configDir, '..', dumpFile), 'utf8'))
  const file = join(configDir, 'config.yml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(database ?? '', url))
}

/** Unpacks kept folders below a folder. */
export function unpackKept(archive: string, dir: string): KeptFolders {
  mkdirSync(dir, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '--no-same-owner', '-C', dir])
  const kept = JSON.parse(readFileSync(join(dir, 'kept.json'), 'utf8')) as Omit<KeptFolders, 'configDir' | 'mediaDir'>
  return { ...kept, configDir: join(dir, 'config'), mediaDir: join(dir, 'media') }
}
