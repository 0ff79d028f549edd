import { mkdir } from 'node:fs/promises'
import { StartError } from './errors.ts'

/** Makes a folder that is nobody else's; one that is there stays as it is. */
export async function ensureDirectory(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`The folder ${folder} cannot be made: ${cause.code ?? cause.message}`, { cause })
  })
}
