import { join, resolve } from 'node:path'
import { configTexts } from '../../app/config/config.ts'
import { version } from '../../shared/package.ts'
import { ArchiveError } from '../../backup/archive.ts'
import { backup } from '../../backup/backup.ts'
import type { Command } from '../command.ts'
import { readMachineConfig } from '../config.ts'
import { onlyDatabaseSecrets, usable } from '../database-url.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption, foldersOf, mediaDirOption } from '../folders.ts'
import { refuseUnfinishedRestore } from '../unfinished-restore.ts'
import { systemClock } from '../../shared/time/clock.ts'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Back up the database, configuration and secrets to one file, while the service runs.',
  description: [
    'The file is complete and consistent, or it is not there. It has the password hashes and the JWT secret, so only its owner can read it: keep it like a key. `zcat` shows what is in it.',
    'A database that a newer version of Gatehouse has migrated is refused, with exit code 78: the backup would lack what that version added.',
    'Not in it: recordings and exported files, and TLS files outside of the configuration folder. Nor are sessions, invitations and password resets: after a restore everyone signs in again.',
  ],
  argument: { name: 'file', description: 'the file to write', required: true },
  options: [configDirOption, mediaDirOption, { name: 'replace', description: 'replace the file if it exists' }],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    const { configDir, mediaDir } = foldersOf(given, terminal)
    refuseUnfinishedRestore(configDir)
    const { env } = terminal
    const configFile = join(configDir, 'config.yml')
    const { loaded } = await readMachineConfig({ file: configFile, mediaDir, env, lookup: onlyDatabaseSecrets })
    const config = usable(loaded, configFile)
    const file = resolve(given.argument ?? '')
    const { files, rows, secretElsewhere } = await backup({
      file,
      replace: given.has('replace'),
      version,
      now: systemClock.now(),
      env,
      configDir,
      url: config.database.url,
      wholeConfig: configTexts.join,
    }).catch((error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error
      throw new CommandError('failure', `${file}: ${error.message} Use another name, or --replace.`)
    })
    terminal.output.write(`${file}: ${rows} rows, ${files} files\n`)
    if (secretElsewhere !== undefined) {
      terminal.errors.write(
        `The JWT secret is not in the backup: it comes from ${secretElsewhere}. Keep it too: second factors can't be read without it.\n`,
      )
    }
    return 'success'
  },
}
