import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The root folder of the package, which also contains the web UI. */
export const packageRoot = resolve(import.meta.dirname, '../../..')

export const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
