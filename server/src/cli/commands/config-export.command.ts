import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { configTexts } from '../../app/config/config.ts'
import { atomicWrite } from '../../shared/files/atomic-write.ts'
import type { Command } from '../command.ts'
import { withDatabase } from '../database.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption } from '../folders.ts'

export const configExportCommand: Command = {
  name: 'config export',
  summary: 'Print the active configuration as a complete config.yml, with its comments.',
  description: [
    'With PostgreSQL, it is the configuration that the instances share, and the sections of this machine from its config.yml. The text can have passwords: a file is written so that only its owner can read it. The service can be running.',
  ],
  argument: { name: 'file', description: 'the file to write (default: standard output)', required: false },
  options: [configDirOption, { name: 'replace', description: 'replace the file if it exists' }],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    await withDatabase(given, terminal, async ({ machine, shared }) => {
      const text = shared ? configTexts.join(shared.document, machine.text) : machine.text
      if (given.argument === undefined) {
        terminal.output.write(text)
        return
      }
      const file = resolve(given.argument)
      if (existsSync(file) && !given.has('replace')) {
        throw new CommandError('failure', `${file} already exists. Use another name, or --replace.`)
      }
      await atomicWrite(file, text, 0o600)
    })
    return 'success'
  },
}
