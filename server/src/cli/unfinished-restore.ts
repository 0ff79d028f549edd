import { existsSync } from 'node:fs'
import { stagedFolder } from '../backup/staged.ts'
import { CommandError } from './exit-codes.ts'

/** @throws CommandError if a restore isn't finished: the configuration and the database don't belong together */
export function refuseUnfinishedRestore(configDir: string): void {
  if (!existsSync(stagedFolder(configDir))) return
  throw new CommandError(
    'failure',
    'A restore is running or was interrupted. If it was interrupted, start the service or run the restore again.',
  )
}
