import { mkdir } from 'node:fs/promises'
import { StartError } from '../errors.ts'
import { codeOrMessage } from '../caught-error.ts'
import { startStatus } from './start-status.ts'

/** Creates a folder that only the service's user can access. An existing folder stays unchanged. @throws StartError */
export async function ensureDirectory(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    const message = `Couldn't create the folder ${folder}: ${codeOrMessage(cause)}`
    throw new StartError(message, { status: startStatus(cause), cause })
  })
}
