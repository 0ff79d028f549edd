import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotReplace } from '../config/replace-file.ts'
import type { Random } from '../shared/random.ts'
import { atomicWrite } from '../shared/atomic-write.ts'
import type { Engine } from '../store/store.ts'

/**
 * Names the instance that a config.yml belongs to, beside which its name is kept. Where the database belongs to one
 * instance alone, no name is needed.
 *
 * @returns the name; undefined where there is none yet, unless `make` is given
 */
export function instanceId(configDir: string, engine: Engine, random: Random) {
  const file = join(configDir, '.instance')
  return async (make?: 'make'): Promise<string | undefined> => {
    if (engine === 'sqlite') return 'only'
    const found = (await readFile(file, 'utf8').catch(absent))?.trim()
    if (found || !make) return found || undefined
    const made = random.bytes(16).toString('hex')
    await atomicWrite(file, `${made}\n`, 0o600).catch(cannotReplace)
    return made
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
