import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants, existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '../../src/media/ffmpeg/find-ffmpeg.ts'

const run = promisify(execFile)
const ffmpeg = findFfmpeg() ?? 'ffmpeg'
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/gatehouse-tests')

/**
 * Writes what ffmpeg makes of these arguments. The same material is encoded once and copied from then on, because many
 * tests need it.
 *
 * @param args without the output file
 * @param inputs files that the arguments name
 */
export async function writeEncoded(
  file: string,
  args: readonly string[],
  inputs: readonly string[] = [],
): Promise<void> {
  const versions = [ffmpeg, ...inputs].map((each) => statSync(each)).map(({ size, mtimeMs }) => [size, mtimeMs])
  const key = createHash('sha256')
    .update(JSON.stringify([args, versions]))
    .digest('hex')
  const known = join(cache, key)
  if (!existsSync(known)) {
    await mkdir(cache, { recursive: true })
    const made = join(cache, randomUUID())
    await run(ffmpeg, [...args, `file:${made}`])
    await rename(made, known)
  }
  await mkdir(dirname(file), { recursive: true })
  await copyFile(known, file, constants.COPYFILE_FICLONE)
}
