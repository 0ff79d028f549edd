// Starts the service as Home Assistant's add-on. The supervisor's folders belong to root, and its options can be read
// only by root: this gives them to the user of the image, and becomes that user before the service is loaded.
import { existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstConfig } from './first-config.ts'

/** The user and the group of the image. */
const id = 1000
const {
  CONFIG_DIR: config = '/config',
  MEDIA_DIR: media = '/media',
  APP_OPTIONS_FILE: options = '/data/options.json',
} = process.env

if (process.getuid?.() === 0) {
  mkdirSync(config, { recursive: true })
  mkdirSync(media, { recursive: true })
  const file = join(config, 'config.yml')
  // Root follows no link that the service could have left there.
  if (!lstatSync(file, { throwIfNoEntry: false })) writeFileSync(file, firstConfig(optionsOf()), { flag: 'wx' })
  // Links are not followed, and become the user's, too.
  for (const path of readdirSync(config, { recursive: true })) lchownSync(join(config, String(path)), id, id)
  for (const path of [config, media, ...(existsSync(options) ? [options] : [])]) lchownSync(path, id, id)
  process.setgroups?.([])
  process.setgid?.(id)
  process.setuid?.(id)
}
await import('../../server/start.mjs')

function optionsOf() {
  return existsSync(options) ? JSON.parse(readFileSync(options, 'utf8')) : {}
}
