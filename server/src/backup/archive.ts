import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isSystemError } from '../shared/caught-error.ts'
import { syncAndRename } from '../shared/files/atomic-write.ts'
import { textLines } from '../shared/files/text-lines.ts'
import { nullable } from '../shared/nullable.ts'

/** The command prints it: no character of it controls a terminal. */
const Printed = Type.String({ pattern: '^[\\x20-\\x7e]{1,64}$' })

/** First line of a backup. */
const Head = Type.Object({
  /** Version of the format. */
  gatehouse_backup: Type.Literal(1),
  /** Version of the service that made it. */
  version: Printed,
  created_at: Printed,
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  /** Migrations that the database had. */
  migrations: Type.Array(Type.String()),
  /** Keyed hash of the JWT secret, to notice a restore with another one; null: there was none yet. */
  secret_check: nullable(Type.String()),
})
export type Head = Static<typeof Head>

/** A file of the configuration folder. */
const FileRecord = Type.Object({ file: Type.String(), mode: Type.Integer(), base64: Type.String() })
export type FileRecord = Static<typeof FileRecord>

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()])
/** Rows of a table: texts, integers and null. Tables come in an order in which each can be filled. */
const RowsRecord = Type.Object({
  table: Type.String({ pattern: '^[a-z_]+$' }),
  columns: Type.Array(Type.String({ pattern: '^[a-z_]+$' }), { minItems: 1 }),
  rows: Type.Array(Type.Array(Value)),
})
export type RowsRecord = Static<typeof RowsRecord>

export type ArchiveRecord = FileRecord | RowsRecord

const isFile = (record: unknown): record is FileRecord => Check(FileRecord, record)
export const isRows = (record: unknown): record is RowsRecord => Check(RowsRecord, record)

/** Last line: the number of lines before it, and the SHA-256 of their bytes. */
const End = Type.Object({ lines: Type.Integer(), sha256: Type.String() })

/** A file that isn't a complete backup, or one of a later version. */
export class ArchiveError extends Error {}

/** The file of a backup can't be read: `cause` says why. */
export class UnreadableArchive extends Error {}

export interface Summary {
  readonly files: number
  readonly rows: number
}

/**
 * Writes a backup: lines of JSON, compressed with gzip, so that `zcat` shows it. The file appears at its path only when it
 * is complete and on disk, and only its owner can read it.
 *
 * @throws ArchiveError if the path exists and isn't to be replaced
 */
export async function writeArchive(
  path: string,
  head: Head,
  records: AsyncIterable<ArchiveRecord>,
  { replace }: { readonly replace: boolean },
): Promise<Summary> {
  if (!replace && (await exists(path))) throw new ArchiveError('The file already exists.')
  const draft = `${path}.${process.pid}.tmp`
  const summary = { files: 0, rows: 0 }
  async function* lines() {
    const hash = createHash('sha256')
    let count = 0
    const line = (value: object): string => {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      count += 1
      return text
    }
    yield line(head)
    for await (const record of records) {
      if ('file' in record) summary.files += 1
      else summary.rows += record.rows.length
      yield line(record)
    }
    yield `${JSON.stringify({ lines: count, sha256: hash.digest('hex') })}\n`
  }
  try {
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    await syncAndRename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  return summary
}

/**
 * Reads a backup. What is yielded before the end can be of a damaged file: see {@link checkArchive}.
 *
 * @throws ArchiveError, UnreadableArchive
 */
export async function* readArchive(path: string): AsyncGenerator<Head | ArchiveRecord> {
  const hash = createHash('sha256')
  let count = 0
  let isOver = false
  try {
    for await (const line of linesOf(path)) {
      if (isOver) throw new ArchiveError('It has lines after its end.')
      const value = parsed(line)
      if (count > 0 && Check(End, value)) {
        if (value.lines !== count || value.sha256 !== hash.digest('hex')) throw new ArchiveError('It is damaged.')
        isOver = true
        continue
      }
      yield recordIn(value, count === 0)
      hash.update(`${line}\n`)
      count += 1
    }
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause
    if (isSystemError(cause)) throw new UnreadableArchive(cause.message, { cause })
    throw new ArchiveError('It is not a backup, or it is damaged.', { cause })
  }
  if (!isOver) throw new ArchiveError('It is incomplete.')
}

/**
 * Reads a whole backup and checks it, before anything is changed.
 *
 * @param isCounted whether rows of the table count; default: all
 * @throws ArchiveError
 */
export async function checkArchive(
  path: string,
  isCounted: (table: string) => boolean = () => true,
): Promise<{ readonly head: Head } & Summary> {
  const summary = { files: 0, rows: 0 }
  let head: Head | undefined
  for await (const record of readArchive(path)) {
    if ('gatehouse_backup' in record) head = record
    else if ('file' in record) summary.files += 1
    else if (isCounted(record.table)) summary.rows += record.rows.length
  }
  if (!head) throw new ArchiveError('It is empty.')
  return { head, ...summary }
}

/** Far more than a record makes, and far less than the memory: a small file can unpack to any number of characters. */
const longestLine = 128 << 20

async function* linesOf(path: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  // An error of either stream is thrown by the loop below.
  const done = pipeline(createReadStream(path), unpacked)
  done.catch(() => undefined)
  yield* textLines(unpacked, longestLine)
  await done
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

function recordIn(value: unknown, isFirst: boolean): Head | ArchiveRecord {
  if (isFirst) {
    if (Check(Head, value)) return value
    if (typeof value === 'object' && value !== null && 'gatehouse_backup' in value) {
      if (value.gatehouse_backup === 1) throw new ArchiveError('It is damaged.')
      throw new ArchiveError('It was made by a newer version of Gatehouse. Restore it with that version.')
    }
    throw new ArchiveError('It is not a Gatehouse backup.')
  }
  if (isFile(value) || (isRows(value) && value.rows.every(({ length }) => length === value.columns.length)))
    return value
  throw new ArchiveError('It is damaged.')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new ArchiveError('It is damaged.', { cause })
  }
}
