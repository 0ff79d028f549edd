import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotReplace } from '../config/replace-file.ts'
import type { Random } from '../shared/random.ts'
import { atomicWrite } from '../shared/atomic-write.ts'
import type { Engine } from '../store/store.ts'

/**
 * Finds the id of the instance, which is stored next to its config.yml. SQLite has only one instance, with a fixed id.
 *
 * @returns a function that returns the id; without `make`, undefined if there is none yet.
 */
export function instanceId(configDir: string, engine: Engine, random: Random) {
  const file = join(configDir, '.instance')
  return async (make?: 'make'): Promise<string | undefined> => {
    if (engine === 'sqlite') return 'only'
    const found = (await readFile(file, 'utf8').catch(undefinedIfMissing))?.trim()
    if (found || !make) return found || undefined
    const made = random.bytes(16).toString('hex')
    await atomicWrite(file, `${made}\n`, 0o600).catch(cannotReplace)
    return made
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
