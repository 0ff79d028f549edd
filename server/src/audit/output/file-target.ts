import { constants } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { csvHeader, csvOf, jsonOf, type OutputLine } from './output-line.ts'
import type { OutputTarget } from './output-target.ts'
import { undefinedIfMissing } from '../../shared/files/missing-file.ts'

export interface FileTargetDeps {
  /** Absolute. */
  readonly path: string
  readonly format: 'jsonl' | 'csv'
}

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** Bytes at the end of the file that can contain lines of the last batch of an earlier run. */
const tail = 2 * 1024 * 1024

/** A file that is only appended to. It is opened again once its path leads to another file. */
export function fileTarget({ path, format }: FileTargetDeps): OutputTarget {
  const lineOf = format === 'csv' ? csvOf : (line: OutputLine) => `${jsonOf(line)}\n`
  let file: FileHandle | undefined
  /** Lines that an earlier run wrote without saving its position: it was killed in between. */
  let written: ReadonlySet<string> | undefined

  const close = async () => {
    const closing = file
    file = undefined
    await closing?.close().catch(() => undefined)
  }
  const openFile = async (): Promise<FileHandle> => {
    const found = await lstat(path).catch(undefinedIfMissing)
    if (found && !found.isFile()) throw new Error(`${path} isn't a regular file`)
    const opened = await open(path, flags, 0o600)
    written ??= await lastLines(opened)
    return opened
  }
  const append = async (opened: FileHandle, lines: readonly OutputLine[]): Promise<void> => {
    const { size } = await opened.stat()
    const text = lines.map(lineOf).join('')
    try {
      await opened.writeFile(`${await startOf(opened, size, format)}${text}`)
      await opened.datasync()
    } catch (error) {
      // On a full disk, part of the lines may be there; all of them are written again.
      await opened.truncate(size).catch(() => undefined)
      throw error
    }
  }

  return {
    async write(lines) {
      if (file && (await wasReplaced(path, file))) await close()
      try {
        file ??= await openFile()
        const missing = lines.filter((line) => !written?.has(firstFields(lineOf(line))))
        if (missing.length > 0) await append(file, missing)
        written = new Set()
      } catch (error) {
        await close()
        throw error
      }
    },
    close,
  }
}

/** What goes before new lines: the column names, or the end of a line that a kill cut off. */
async function startOf(file: FileHandle, size: number, format: FileTargetDeps['format']): Promise<string> {
  if (size === 0) return format === 'csv' ? csvHeader : ''
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString() === '\n' ? '' : '\n'
}

async function wasReplaced(path: string, file: FileHandle): Promise<boolean> {
  const [atPath, opened] = await Promise.all([lstat(path).catch(undefinedIfMissing), file.stat()])
  return atPath?.ino !== opened.ino || atPath.dev !== opened.dev
}

/** The id and time of a line, which no two entries share, not even of two databases. */
const firstFields = (line: string): string => line.split(',', 2).join()

async function lastLines(file: FileHandle): Promise<ReadonlySet<string>> {
  const { size } = await file.stat()
  const length = Math.min(size, tail)
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const complete = buffer
    .toString()
    .split('\n')
    .slice(length < size ? 1 : 0, -1)
  return new Set(complete.map(firstFields))
}
