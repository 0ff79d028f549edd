import { join } from 'node:path'
import type { Log } from '../shared/log.ts'
import { mkdir, rename } from '../shared/media-disk.ts'

/** Where broken files go, below the library's folder. */
const aside = '.broken'

/** Takes a file that cannot be played out of the way, and keeps it for who wants to look at it. */
export async function quarantine(folder: string, file: string, log: Log): Promise<void> {
  log.warn({ file }, 'no video that can be played: set aside')
  await mkdir(join(folder, aside), { recursive: true, mode: 0o700 })
  await rename(join(folder, file), join(folder, aside, file.replaceAll('/', '_')))
}
