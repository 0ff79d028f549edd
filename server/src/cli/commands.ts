import { backupCommand } from './commands/backup.command.ts'
import { checkCommand } from './commands/check.command.ts'
import type { Command } from './command.ts'
import { configExportCommand } from './commands/config-export.command.ts'
import { configImportCommand } from './commands/config-import.command.ts'
import { restoreCommand } from './commands/restore.command.ts'
import { startCommand } from './commands/start.command.ts'
import { userAddCommand } from './commands/user-add.command.ts'
import { userListCommand } from './commands/user-list.command.ts'
import { userResetCommand } from './commands/user-reset.command.ts'

/** All commands, in the order of the help. A new one is a file `*.command.ts` and a line here. */
export const commands: readonly Command[] = [
  startCommand,
  checkCommand,
  userListCommand,
  userAddCommand,
  userResetCommand,
  configExportCommand,
  configImportCommand,
  backupCommand,
  restoreCommand,
]

/** Names of groups, such as `user` in `user add`, and what their commands are about. */
export const groups: ReadonlyMap<string, string> = new Map([
  ['user', 'Manage users in the database.'],
  ['config', 'Copy the configuration to a file, or from one.'],
])
