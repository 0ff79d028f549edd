import { join } from 'node:path'
import { onlyReadable } from '../../config/placeholder.ts'
import { problemLines } from '../../config/problem-collector.ts'
import type { Command } from '../command.ts'
import { readConfig, placeholderSecret } from '../config.ts'
import { configDirOption, foldersOf, mediaDirOption } from '../folders.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Check a configuration without starting the service.',
  description: [
    'Prints every problem and warning that the service would at startup, one per line: file:line:column key: text. Without a problem, the last line says that the configuration in this file is valid. Changes no file, and prints no secret.',
    "Placeholders are filled as at startup: from the environment, or from files in $CREDENTIALS_DIRECTORY. If their values aren't available, such as those that only systemd passes to the service, use --no-placeholders.",
  ],
  argument: { name: 'file', description: 'default: config.yml in the folder of the configuration', required: false },
  options: [
    configDirOption,
    mediaDirOption,
    { name: 'no-placeholders', description: 'accept unresolved placeholders' },
  ],
  exits: ['noInput', 'config'],
  async run(given, terminal) {
    const { configDir, mediaDir } = foldersOf(given, terminal)
    const file = given.argument ?? join(configDir, 'config.yml')
    const { problems, warnings } = await readConfig({
      file,
      mediaDir,
      env: terminal.env,
      ...(given.has('no-placeholders') && {
        lookup: (asAtStart) => (name) => onlyReadable(asAtStart)(name) ?? placeholderSecret,
      }),
    })
    const asWarnings = warnings.map((warning) => ({ ...warning, message: `warning: ${warning.message}` }))
    for (const line of problemLines(file, [...problems, ...asWarnings])) terminal.output.write(`${line}\n`)
    if (problems.length > 0) return 'config'
    terminal.output.write(`${file}: the configuration is valid\n`)
    return 'success'
  },
}
