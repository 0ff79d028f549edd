import { join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { mkdir, rename } from '../../shared/storage/media-disk.ts'

/** Folder for broken files, relative to the volume's folder. */
const quarantineFolder = '.broken'

/** Moves an unplayable file to the quarantine folder, where an admin can inspect it. */
export async function quarantine(folder: string, file: string, log: Log): Promise<void> {
  log.warn({ file }, 'segment quarantined')
  await mkdir(join(folder, quarantineFolder), { recursive: true, mode: 0o700 })
  await rename(join(folder, file), join(folder, quarantineFolder, file.replaceAll('/', '_')))
}
