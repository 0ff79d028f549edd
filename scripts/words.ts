// Lists words that this project does not use, and log lines in another style than the others; exits with 1 if there are
// any. scripts/words/allowed.ts has the exceptions. With --all, also patterns with false positives, as a guide for the eye.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { allowed } from './words/allowed.ts'
import { banned, type Banned } from './words/banned.ts'
import { findWords, someWordOf } from './words/find.ts'
import { logProblems } from './words/log-lines.ts'
import { commentsInCss, textsInJson, wordsIn, type Words } from './words/texts.ts'

const root = resolve(import.meta.dirname, '..')
const all = process.argv.includes('--all')
const rows = banned.filter(({ loose }) => all || !loose)

const ignored = [
  '**/node_modules/**',
  'server/dist/**',
  'web/dist/**',
  'scripts/words/**',
  // Texts in other languages.
  'packaging/home-assistant/gatehouse/translations/{de,es,fr,zh-Hans}.yaml',
]
const files = globSync(
  '{server,web,attacks,e2e,bench,scripts,docs,packaging}/**/*.{ts,tsx,mjs,js,css,md,conf,yml,yaml,service}',
  { cwd: root, exclude: ignored },
)
  .concat(
    globSync('packaging/debian/{control,default,postinst,postrm,preinst,prerm}', { cwd: root }),
    globSync('web/src/i18n/{en,notes}/*.json', { cwd: root }),
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  )
  .toSorted()

const hasName = someWordOf(rows.filter(({ where }) => where === 'name'))
const hasProse = someWordOf(rows.filter(({ where }) => where !== 'name'))

const unused = new Set(allowed)
let found = 0
let logLines = 0
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8')
  const words = suspectsIn(wordsOf(file, source))
  for (const row of rows) report(file, source, row, words)
  if (file.startsWith('server/src/') && !file.endsWith('.test.ts')) reportLogLines(file, source)
}
for (const { file, word } of unused) console.log(`scripts/words/allowed.ts: ${file} has no “${word}”; remove the entry`)
if (found > 0) console.log(`${found} banned words. docs/glossary.md has the words to use.`)
if (logLines > 0) console.log(`${logLines} problems of log lines. CONTRIBUTING.md has their style.`)
const isClean = found + logLines + unused.size === 0
if (isClean) console.log('No banned word, and every log line in one style.')
process.exitCode = isClean || all ? 0 : 1

function wordsOf(file: string, source: string): Words {
  if (file.endsWith('.json')) return { names: [], prose: textsInJson(source) }
  if (file.endsWith('.css')) return { names: [], prose: commentsInCss(source) }
  if (!/\.(tsx?|m?js)$/.test(file)) return { names: [], prose: [{ start: 0, text: source }] }
  const words = wordsIn(file, source)
  // Generated names are keys of other files.
  return file.endsWith('.gen.ts') ? { ...words, names: [] } : words
}

/** Pieces with a banned word, whichever it is. */
function suspectsIn({ names, prose }: Words): Words {
  return { names: names.filter(({ text }) => hasName(text)), prose: prose.filter(({ text }) => hasProse(text)) }
}

function report(file: string, source: string, row: Banned, { names, prose }: Words): void {
  if (row.where === 'copy' && !file.startsWith('web/src/i18n/en/')) return
  const exceptions = allowed.filter((entry) => entry.file === file)
  for (const { start, word, instead, allowedBy } of findWords(row, row.where === 'name' ? names : prose, exceptions)) {
    if (allowedBy) {
      unused.delete(allowedBy)
      continue
    }
    found += 1
    console.log(`${placeOf(file, source, start)}  “${word}”: ${instead}`)
  }
}

function reportLogLines(file: string, source: string): void {
  for (const { start, text } of logProblems(file, source)) {
    logLines += 1
    console.log(`${placeOf(file, source, start)}  ${text}`)
  }
}

function placeOf(file: string, source: string, start: number): string {
  return `${file}:${source.slice(0, start).split('\n').length}`
}
