import { readFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { atomicWrite, synced } from '../shared/files/atomic-write.ts'
import { StartError } from '../shared/errors.ts'
import { sqliteName } from '../store/sqlite/file.ts'
import { isFilledBy } from './fill.ts'
import { messageOf } from '../shared/caught-error.ts'
import { isMissing } from '../shared/files/missing-file.ts'

/**
 * A restore is prepared in this folder of the configuration folder. From the moment when its state is `ready`, the new
 * state counts: whatever finds it puts the files in place. Before, the old state does.
 */
const folder = '.restore'
const stateFile = 'state.json'

/** `filling`: the state counts as `ready` once the PostgreSQL database has been filled by the restore with the id. */
const State = Type.Union([
  Type.Object({ state: Type.Literal('ready') }),
  Type.Object({ state: Type.Literal('filling'), url: Type.String(), id: Type.String() }),
])
export type State = Static<typeof State>

export const stagedFolder = (configDir: string): string => join(configDir, folder)
/** A file of the new state, by its path in the configuration folder. */
export const stagedFile = (configDir: string, path: string): string => join(stagedFolder(configDir), 'files', path)

/** Removes what an earlier restore has left, and creates the folder. */
export async function prepareStage(configDir: string): Promise<void> {
  await discardRestore(configDir)
  await mkdir(stagedFile(configDir, ''), { recursive: true, mode: 0o700 })
}

export async function writeStaged(configDir: string, path: string, content: Uint8Array, mode: number): Promise<void> {
  const file = stagedFile(configDir, path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await atomicWrite(file, content, mode & 0o700)
}

export const setState = (configDir: string, state: State): Promise<void> =>
  atomicWrite(join(stagedFolder(configDir), stateFile), JSON.stringify(state), 0o600)

/**
 * Ends a restore that was interrupted: puts the files of the new state in place if it counts, and drops them if not.
 *
 * @throws StartError with status 1 if a PostgreSQL database has to tell which one it is, and can't be reached
 */
export async function settleRestore(configDir: string): Promise<void> {
  const state = await stateOf(configDir)
  if (state && (state.state === 'ready' || (await isFilled(state)))) {
    await setState(configDir, { state: 'ready' })
    await moveFiles(configDir)
  }
  await discardRestore(configDir)
}

/** Drops the new state of a restore: the old one counts. */
export const discardRestore = (configDir: string): Promise<void> =>
  rm(stagedFolder(configDir), { recursive: true, force: true })

async function isFilled({ url, id }: Extract<State, { state: 'filling' }>): Promise<boolean> {
  try {
    return await isFilledBy(url, id)
  } catch (cause) {
    throw new StartError(
      `A restore was interrupted, and its PostgreSQL database can't be reached to finish or undo it: ${messageOf(cause)}`,
      { status: 1, cause },
    )
  }
}

/** undefined: there is no restore, or it was interrupted before the new state was complete. */
async function stateOf(configDir: string): Promise<State | undefined> {
  try {
    const state: unknown = JSON.parse(await readFile(join(stagedFolder(configDir), stateFile), 'utf8'))
    return Check(State, state) ? state : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}

/** Can be repeated: what was moved before is no longer there. */
async function moveFiles(configDir: string): Promise<void> {
  const from = stagedFile(configDir, '')
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const staged = join(entry.parentPath, entry.name)
    const path = relative(from, staged)
    const target = join(configDir, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // The log of the old database must not be replayed over the new one.
    if (path === sqliteName) {
      for (const suffix of ['-wal', '-shm']) await rm(target + suffix, { force: true })
    }
    await rename(staged, target)
    await synced(dirname(target))
  }
}
