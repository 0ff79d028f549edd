import { join, resolve } from 'node:path'
import { packageRoot } from '../shared/package.ts'
import type { CommandOption, Given, Terminal } from './command.ts'

export const configDirOption: CommandOption = {
  name: 'config-dir',
  value: 'folder',
  description: 'folder of config.yml (default: $CONFIG_DIR, or `config` where Gatehouse is installed)',
}

export const mediaDirOption: CommandOption = {
  name: 'media-dir',
  value: 'folder',
  description: 'folder of the recordings (default: $MEDIA_DIR, or `media` where Gatehouse is installed)',
}

/** Absolute paths. */
export interface Folders {
  readonly configDir: string
  readonly mediaDir: string
}

/** The folders that `npm start` would use, from whatever folder the command runs. */
export function foldersOf(given: Given, { env }: Pick<Terminal, 'env'>): Folders {
  return {
    configDir: resolve(given.text('config-dir') || env['CONFIG_DIR'] || join(packageRoot, 'config')),
    mediaDir: resolve(given.text('media-dir') || env['MEDIA_DIR'] || join(packageRoot, 'media')),
  }
}
