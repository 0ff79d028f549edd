import { join } from 'node:path'
import { ensureDirectory } from '../../shared/files/ensure-directory.ts'
import { startStatus } from '../../shared/files/start-status.ts'
import type { Random } from '../../shared/random.ts'
import { StartError } from '../../shared/errors.ts'
import { codeOrMessage, messageOf } from '../../shared/caught-error.ts'
import { isId } from '../../shared/random-id.ts'
import { addMark, diskMissing, markIn } from '../../shared/storage/mounted-disk.ts'

export interface Volume {
  /** Absolute path. */
  readonly folder: string
  /** Unique, so that several instances that share a database know which recordings are on their disk. */
  readonly id: string
}

/** Opens the recordings folder and creates it if missing. @throws StartError if the folder cannot be used. */
export async function openVolume(mediaDir: string, random: Random): Promise<Volume> {
  const folder = join(mediaDir, 'recordings')
  await ensureDirectory(folder)
  try {
    const id = await markIn(folder)
    return { folder, id: id !== undefined && isId(id) ? id : await addMark(folder, random) }
  } catch (cause) {
    const message = `Couldn't use the folder ${folder}: ${messageOf(cause)}`
    throw new StartError(message, { status: startStatus(cause), cause })
  }
}

/**
 * Checks that the volume is still mounted: otherwise its folder belongs to another disk, where nothing must be written,
 * and files that are missing from it aren't deleted.
 *
 * @throws ServiceError `unavailable`
 */
export async function requireVolume({ folder, id }: Volume): Promise<void> {
  const found = await markIn(folder).catch((cause: unknown) => {
    throw diskMissing(`The recordings disk fails: ${codeOrMessage(cause)}`)
  })
  if (found === id) return
  throw diskMissing(`The recordings disk is missing: ${folder} is not the same folder as at startup.`)
}
