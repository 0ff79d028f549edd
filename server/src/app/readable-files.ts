import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../shared/log.ts'

/** Files in the configuration folder that contain secrets. */
const names = ['.jwt_secret', 'config.yml', 'config.yml.previous']

const readableByOthers = 0o044

/** Warns about files with secrets that other users of this machine can read. Doesn't change them: it may be intended. */
export async function warnAboutReadableFiles(configDir: string, log: Pick<Log, 'warn'>): Promise<void> {
  for (const name of names) {
    const file = join(configDir, name)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile() || (found.mode & readableByOthers) === 0) continue
    const mode = (found.mode & 0o777).toString(8)
    log.warn({ file, mode, hint: 'chmod 600' }, 'secret file readable by other users of this machine')
  }
}
