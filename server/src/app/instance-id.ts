import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotReplace } from '../config/source/replace-file.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { atomicWrite } from '../shared/files/atomic-write.ts'
import type { Engine } from '../store/store.ts'
import { undefinedIfMissing } from '../shared/files/missing-file.ts'
import { newId } from '../shared/random-id.ts'

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
    const made = newId(random)
    await atomicWrite(file, `${made}\n`, 0o600).catch(cannotReplace)
    return made
  }
}

export interface InstanceIdDeps {
  readonly configDir: string
  readonly engine: Engine
  readonly random: Random
  readonly log: Log
}

/** The id of the instance, or one for this run only if none can be stored: at the next start it's another instance. */
export async function stableInstanceId({ configDir, engine, random, log }: InstanceIdDeps): Promise<string> {
  try {
    const id = await instanceId(configDir, engine, random)('make')
    if (id !== undefined) return id
  } catch (error) {
    log.warn({ err: error }, 'failed to store instance id: audit outputs skip what a crash leaves unwritten')
  }
  return newId(random)
}
