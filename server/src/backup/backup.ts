import { createHmac } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { existingJwtSecret, jwtSecretName, type JwtSecretDeps } from '../auth/token/jwt-secret.ts'
import { writeArchive, type ArchiveRecord, type FileRecord, type Head, type Summary } from './archive.ts'
import { openSnapshot, type DatabasePlace, type Snapshot } from './snapshot.ts'
import { systemCodeOf } from '../shared/caught-error.ts'
import { undefinedIfMissing } from '../shared/files/missing-file.ts'

export interface BackupDeps extends DatabasePlace, Pick<JwtSecretDeps, 'env'> {
  readonly file: string
  /** Whether an existing file is replaced. */
  readonly replace: boolean
  readonly version: string
  /** Unix milliseconds. */
  readonly now: number
  /** Makes the text of a complete config.yml of a shared document and the config.yml of a machine. */
  readonly wholeConfig: (document: string, machine: string) => string
}

export interface BackupResult extends Summary {
  /** Where a secret comes from that is not in the backup; undefined: it is. */
  readonly secretElsewhere: string | undefined
}

/**
 * Writes a consistent copy of database, configuration and secrets, while the service runs (OPS-1). It needs the disk space
 * of the backup alone.
 *
 * @throws ArchiveError; StartError, also if a newer version of the service migrated the database (OPS-2); or an error of
 * the disk or the database. An existing file is then unchanged.
 */
export async function backup(deps: BackupDeps): Promise<BackupResult> {
  const { file, replace, version, now, env, configDir, url, wholeConfig } = deps
  const secret = existingJwtSecret({ env, configDir })
  const { snapshot, files } = await consistent({ url, configDir })
  try {
    const head: Head = {
      gatehouse_backup: 1,
      version,
      created_at: new Date(now).toISOString(),
      engine: snapshot.engine,
      migrations: [...snapshot.migrations],
      secret_check: secret ? secretCheck(secret.secret) : null,
    }
    const summary = await writeArchive(file, head, records(withDocument(files, snapshot, wholeConfig), snapshot), {
      replace,
    })
    const inside = files.find((each) => each.file === jwtSecretName)
    const isInside = inside && Buffer.from(inside.base64, 'base64').toString().trim() === secret?.secret
    return { ...summary, secretElsewhere: isInside ? undefined : secret?.source }
  } finally {
    await snapshot.close()
  }
}

/** Tells two secrets apart without showing them. */
export const secretCheck = (secret: string): string =>
  createHmac('sha256', secret).update('gatehouse backup').digest('hex').slice(0, 32)

const configFile = 'config.yml'

/** Files in the configuration folder that a backup has. */
export const isBackedUp = (path: string): boolean =>
  path === configFile || path === jwtSecretName || /^tls\/(?!\.{1,2}$)[\w.-]+$/.test(path)

/** The database and the files at one moment: files that changed in between are read again, with a new snapshot. */
async function consistent(place: DatabasePlace): Promise<{ snapshot: Snapshot; files: FileRecord[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await readFiles(place.configDir)
    const snapshot = await openSnapshot(place)
    const files = await readFiles(place.configDir).catch(async (error: unknown) => {
      await snapshot.close()
      throw error
    })
    if (JSON.stringify(before) === JSON.stringify(files)) return { snapshot, files }
    await snapshot.close()
    if (attempt === attempts) throw new Error('The files in the configuration folder keep changing.')
  }
}

const attempts = 20

async function readFiles(configDir: string): Promise<FileRecord[]> {
  const inTls = await readdir(join(configDir, 'tls')).catch(undefinedIfNoFile)
  const paths = [configFile, jwtSecretName, ...(inTls ?? []).map((name) => `tls/${name}`)].filter(isBackedUp)
  const files: FileRecord[] = []
  for (const path of paths.toSorted()) {
    const place = join(configDir, path)
    const content = await readFile(place).catch(undefinedIfNoFile)
    const { mode } = (await stat(place).catch(undefinedIfNoFile)) ?? {}
    if (content && mode !== undefined)
      files.push({ file: path, mode: mode & 0o777, base64: content.toString('base64') })
  }
  return files
}

function undefinedIfNoFile(error: unknown): undefined {
  if (systemCodeOf(error) !== 'EISDIR') return undefinedIfMissing(error)
}

/** The files, of which config.yml has the document, too: so the backup can be restored to either engine. */
function withDocument(
  files: readonly FileRecord[],
  { document }: Snapshot,
  wholeConfig: BackupDeps['wholeConfig'],
): readonly FileRecord[] {
  if (document === undefined) return files
  return files.map((each) => {
    if (each.file !== configFile) return each
    const text = wholeConfig(document, Buffer.from(each.base64, 'base64').toString())
    return { ...each, base64: Buffer.from(text).toString('base64') }
  })
}

async function* records(files: readonly FileRecord[], snapshot: Snapshot): AsyncGenerator<ArchiveRecord> {
  yield* files
  yield* snapshot.rows()
}
