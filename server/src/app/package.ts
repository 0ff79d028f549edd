import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the pages of the web UI lie, too. */
export const packageRoot = resolve(import.meta.dirname, '../../..')

export const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
