import { statSync } from 'node:fs'
import { codeOrMessage } from '../caught-error.ts'

/** Why a file can't be read, without its path. If the service isn't allowed to, also as whom it runs and whose the file is. */
export function readFailure(file: string, cause: unknown): string {
  const code = codeOrMessage(cause)
  return code === 'EACCES' ? `${code}: the service runs as user ${process.geteuid?.()}, ${obstacleAt(file)}` : code
}

function obstacleAt(file: string): string {
  try {
    const { uid, mode } = statSync(file)
    return `and the file belongs to user ${uid}, with mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
  } catch {
    return "and can't enter the file's folder"
  }
}
