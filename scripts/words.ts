// Lists words that this project does not use. With --all, also patterns with false positives, as a guide for the eye.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { banned, type Banned } from './words/banned.ts'
import { textsInJson, wordsIn, type Piece } from './words/texts.ts'

const root = resolve(import.meta.dirname, '..')
const all = process.argv.includes('--all')
const rows = banned.filter(({ loose }) => all || !loose)

const ignored = ['**/node_modules/**', 'web/dist/**', 'scripts/words/**']
const files = globSync('{server,web,e2e,bench,scripts,docs}/**/*.{ts,tsx,md}', { cwd: root, exclude: ignored })
  .concat(
    globSync('web/src/i18n/{en,notes}/*.json', { cwd: root }),
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  )
  .toSorted()

let found = 0
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8')
  const { names, prose } = file.endsWith('.md')
    ? { names: [], prose: [{ start: 0, text: source }] }
    : file.endsWith('.json')
      ? { names: [], prose: textsInJson(source) }
      : wordsIn(file, source)
  const isCopy = file.startsWith('web/src/i18n/en/')
  for (const row of rows) {
    if (row.where === 'copy' && !isCopy) continue
    for (const piece of row.where === 'name' ? names : prose) report(file, source, row, piece)
  }
}
console.log(found === 0 ? 'No banned word.' : `${found} banned words. docs/glossary.md has the words to use.`)
process.exitCode = found === 0 || all ? 0 : 1

function report(file: string, source: string, { pattern, instead }: Banned, { start, text }: Piece): void {
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    found += 1
    const line = source.slice(0, start + match.index).split('\n').length
    console.log(`${file}:${line}  “${match[0]}”: ${instead}`)
  }
}
