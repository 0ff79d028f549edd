// Writes the pages that are made from the source: docs/access.md from the routes, docs/config.md from the schema.
// With --check, ends with 1 where a page differs from what would be written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describeConfig } from '../server/src/config/describe.ts'
import { accessTable } from '../server/src/http/access-table.ts'
import type { Route } from '../server/src/http/route.ts'

const root = resolve(import.meta.dirname, '..')

const pages: readonly (readonly [file: string, make: () => string | Promise<string>])[] = [
  ['docs/config.md', describeConfig],
  ['docs/access.md', accessPage],
]

async function accessPage(): Promise<string> {
  const { routesOfEverything } = await load<{ routesOfEverything: () => readonly Route[] }>('server/src/app.ts')
  return accessTable(routesOfEverything())
}

/** By a name that is made here, so that this compiles before the file is there. */
const load = async <Module>(file: string): Promise<Module> => (await import(join(root, file))) as Module

for (const [page, make] of pages) {
  const file = join(root, page)
  const text = await make()
  const same = existsSync(file) && readFileSync(file, 'utf8') === text
  if (!process.argv.includes('--check')) {
    if (!same) writeFileSync(file, text)
    console.log(`${page}: ${same ? 'unchanged' : 'written'}`)
  } else if (!same) {
    console.log(
      `${page} differs from the source it is made from. Run \`npm run docs\`, read the difference, commit it.`,
    )
    process.exitCode = 1
  }
}
process.exit()
