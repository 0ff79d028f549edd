// Generates files from their source: docs/access.md from the routes, docs/config.md from the schema, docs/command.md from
// the table of commands, and from the
// English messages of the web UI the types of all its messages, and the texts of the service's codes; attacks/README.md
// from the files in that folder.
// With --check, exits with 1 if a page differs from what would be written.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { catalogTypes, englishOfCodes } from '../web/messages/types.ts'
import { attackIndex } from './attacks/attack-index.ts'

const root = resolve(import.meta.dirname, '..')

const quietConfig = `
networking: { gate: { host: 127.0.0.1, port: 0 }, internal: { port: 0 } }
tls: { enabled: false }
auth: { enabled: false }
logger: { default: error }
cameras: {}
`

const pages: readonly (readonly [file: string, make: () => Promise<string>])[] = [
  ['web/src/i18n/catalogs.gen.ts', catalogTypes],
  ['server/src/shared/messages/english.gen.ts', englishOfCodes],
  // Both contain texts of the page before, so the service's modules are imported after it is written.
  ['docs/config.md', configPage],
  ['docs/access.md', accessPage],
  ['docs/command.md', commandPage],
  ['attacks/README.md', () => Promise.resolve(attackIndex(root))],
]

async function configPage(): Promise<string> {
  const { describeConfig } = await import('../server/src/config/schema/describe.ts')
  const { ConfigSchema } = await import('../server/src/app/config/config.ts')
  return describeConfig(ConfigSchema)
}

async function commandPage(): Promise<string> {
  const { commandManual } = await import('./docs/command-manual.ts')
  return commandManual()
}

/** Returns the routes of a running service, started in a temporary folder on free ports and stopped again. */
async function accessPage(): Promise<string> {
  const { startApp } = await import('../server/src/app.ts')
  const { systemClock } = await import('../server/src/shared/time/clock.ts')
  const { startMuxingThread } = await import('../server/src/exports/muxing/muxing-thread.ts')
  const { createHashingProcess } = await import('../server/src/users/password/hashing-process.ts')
  const { accessTable } = await import('../server/src/http/access-table.ts')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
  writeFileSync(join(folder, 'config.yml'), quietConfig)
  const silence = Object.assign(new PassThrough().resume(), { isTTY: false })
  const app = await startApp({
    env: { CONFIG_DIR: folder, MEDIA_DIR: join(folder, 'media') },
    output: silence,
    clock: systemClock,
    createHashing: createHashingProcess,
    startMuxer: startMuxingThread,
  })
  try {
    return accessTable(app.routes)
  } finally {
    await app.stop()
    rmSync(folder, { recursive: true })
  }
}

for (const [page, make] of pages) {
  const file = join(root, page)
  const text = await make()
  const same = existsSync(file) && readFileSync(file, 'utf8') === text
  if (!process.argv.includes('--check')) {
    if (!same) writeFileSync(file, text)
    console.log(`${page}: ${same ? 'unchanged' : 'written'}`)
  } else if (!same) {
    console.log(
      `${page} differs from the source it is generated from. Run \`npm run docs\`, review the difference, commit it.`,
    )
    process.exitCode = 1
  }
}
process.exit()
