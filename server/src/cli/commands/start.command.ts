import type { Command } from '../command.ts'
import { configDirOption, foldersOf, mediaDirOption } from '../folders.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'Start the service, as `npm start` does.',
  description: [
    'It runs until it is stopped with Ctrl+C or SIGTERM. The web UI must have been built: `npm run build`.',
  ],
  options: [configDirOption, mediaDirOption],
  exits: ['config'],
  async run(given, terminal) {
    const { configDir, mediaDir } = foldersOf(given, terminal)
    await terminal.startService({ CONFIG_DIR: configDir, MEDIA_DIR: mediaDir })
    return 'success'
  },
}
