import { readFile } from 'node:fs/promises'
import type { JwtSecretDeps } from '../auth/token/jwt-secret.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { sqliteName } from '../store/sqlite/file.ts'
import { ArchiveError, checkArchive, isRows, readArchive, type Head, type RowsRecord, type Summary } from './archive.ts'
import { existingJwtSecret } from '../auth/token/jwt-secret.ts'
import { isBackedUp, secretCheck } from './backup.ts'
import { newSqliteDatabase, postgresDatabase, type RestoredDatabase } from './fill.ts'
import { isLeftOut } from './snapshot.ts'
import { discardRestore, prepareStage, setState, settleRestore, stagedFile, writeStaged } from './staged.ts'
import { newId } from '../shared/random-id.ts'

/** `database.url` of a configuration, with its placeholders and with their values. */
export interface DatabaseUrls {
  readonly written: string
  readonly resolved: string
}

export interface RestoreDeps {
  readonly file: string
  readonly configDir: string
  readonly env: JwtSecretDeps['env']
  /** `database.url` to restore to, as it is to be in config.yml; undefined: the one of the backup. */
  readonly databaseUrl: string | undefined
  /** `database.url` of the machine's config.yml, with its placeholders; undefined: it has no usable one. */
  readonly machineDatabaseUrl: string | undefined
  /** Sets `database.url` in the text of a configuration. */
  readonly withDatabaseUrl: (text: string, url: string) => string
  /** `database.url` of a configuration. @throws an error that lists the configuration's problems */
  readonly databaseUrlsOf: (text: string) => DatabaseUrls
  /** Divides the text of a configuration: what stays in config.yml with PostgreSQL, and what is in the database then. */
  readonly splitConfig: (text: string) => { readonly machine: string; readonly document: string } | undefined
  readonly random: Random
  /** Unix milliseconds. */
  readonly now: number
  readonly log: Log
}

/** The backup names a PostgreSQL database that neither the machine nor the caller does. */
export class UnknownDatabase extends Error {
  /** With its placeholders. */
  readonly url: string

  constructor(url: string) {
    super('The backup names another database')
    this.url = url
  }
}

export interface RestoreResult extends Summary {
  readonly version: string
  readonly createdAt: string
  /** Whether the secret that the service will use is the one of the backup. If not, second factors can't be read. */
  readonly isSecretRight: boolean
}

/**
 * Replaces database, configuration and secrets by those of a backup (OPS-1). The service must not run. A kill at any moment
 * leaves the old state or the new one: {@link settleRestore} decides at the next startup.
 *
 * @throws ArchiveError, UnknownDatabase, StartError, or an error of the disk or the database; then the old state is unchanged
 */
export async function restore(deps: RestoreDeps): Promise<RestoreResult> {
  const { file, configDir, env } = deps
  await settleRestore(configDir)
  const { head, ...summary } = await checkArchive(file, (table) => !isLeftOut(table))
  try {
    await prepare(deps, head)
  } catch (error) {
    // Refused, so nothing was committed. The database isn't asked: it may not let this role ask.
    if (error instanceof ArchiveError || error instanceof StartError)
      await discardRestore(configDir).catch(() => undefined)
    // Undone, unless the commit of PostgreSQL was done and only its answer was lost: the next startup finishes it then.
    else await settleRestore(configDir).catch(() => undefined)
    throw error
  }
  await setState(configDir, { state: 'ready' })
  await settleRestore(configDir)
  const secret = existingJwtSecret({ env, configDir })
  const isSecretRight = head.secret_check === null || (secret && secretCheck(secret.secret)) === head.secret_check
  return { ...summary, version: head.version, createdAt: head.created_at, isSecretRight }
}

/** Builds the new state next to the old one; in PostgreSQL, replaces it at commit. */
async function prepare(deps: RestoreDeps, head: Head): Promise<void> {
  const { file, configDir, random, now, log } = deps
  await prepareStage(configDir)
  await stageFiles(deps)
  const url = await databaseUrlOf(deps)
  const id = newId(random)
  const document = url === 'sqlite' ? undefined : await stageMachine(deps)
  const filling = { head, rows: rowsIn(file), id, now, document }
  if (url === 'sqlite') await filled(newSqliteDatabase(stagedFile(configDir, sqliteName), log), filling)
  else {
    const database = await postgresDatabase(url)
    await setState(configDir, { state: 'filling', url, id })
    await filled(database, filling)
  }
}

async function filled(database: RestoredDatabase, filling: Parameters<RestoredDatabase['load']>[0]): Promise<void> {
  try {
    await database.load(filling)
  } finally {
    await database.close()
  }
}

async function stageFiles({ file, configDir }: RestoreDeps): Promise<void> {
  for await (const record of readArchive(file)) {
    if (!('file' in record)) continue
    // A path that leads elsewhere isn't a file of a backup.
    if (!isBackedUp(record.file))
      throw new ArchiveError(`It has a file that no backup has: "${record.file.replaceAll(/[^\x20-\x7e]/g, '?')}".`)
    await writeStaged(configDir, record.file, Buffer.from(record.base64, 'base64'), record.mode)
  }
}

/** The database to fill. The new configuration names it, too. */
async function databaseUrlOf(deps: RestoreDeps): Promise<string> {
  const { configDir, databaseUrl, machineDatabaseUrl } = deps
  const staged = stagedFile(configDir, 'config.yml')
  let text = await readFile(staged, 'utf8').catch(() => '')
  if (databaseUrl !== undefined) {
    text = deps.withDatabaseUrl(text, databaseUrl)
    await writeStaged(configDir, 'config.yml', Buffer.from(text), 0o600)
  }
  const { written, resolved } = deps.databaseUrlsOf(text)
  // A backup that someone else made could otherwise have the machine's password sent to any host.
  if (written !== 'sqlite' && written !== (databaseUrl ?? machineDatabaseUrl)) throw new UnknownDatabase(written)
  return resolved
}

/** Leaves in config.yml only what stays there with PostgreSQL. @returns the rest */
async function stageMachine({ configDir, splitConfig }: RestoreDeps): Promise<string | undefined> {
  const text = await readFile(stagedFile(configDir, 'config.yml'), 'utf8').catch(() => '')
  const parts = splitConfig(text)
  if (!parts) return undefined
  await writeStaged(configDir, 'config.yml', Buffer.from(parts.machine), 0o600)
  return parts.document
}

async function* rowsIn(file: string): AsyncGenerator<RowsRecord> {
  for await (const record of readArchive(file)) if (isRows(record)) yield record
}
