import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { format, type FormatOptions } from 'oxfmt'
import { catalogNames, folder, readCatalog } from './catalogs.ts'
import { objectOf, parametersOf, type Catalog } from './compile.ts'

/** The types of the English messages, which every language has: the text of `i18n/catalogs.gen.ts`. */
export async function catalogTypes(): Promise<string> {
  const file = `${folder}/catalogs.gen.ts`
  const catalogs = catalogNames.map((name) => `readonly '${name}': ${typeOf(readCatalog('en', name))}`)
  const source = [
    '// Generated from the English messages by `npm run docs`.',
    '',
    '/** The messages of each catalog: a string, or a function of its parameters. */',
    `export interface Catalogs { ${catalogs.join('\n')} }`,
  ].join('\n')
  return formatted(source, file)
}

function typeOf(catalog: Catalog): string {
  const entries = Object.entries(catalog).map(
    ([name, value]) => `readonly '${name}': ${typeof value === 'string' ? messageType(value) : typeOf(value)}`,
  )
  return `{ ${entries.join('\n')} }`
}

const messageType = (message: string): string =>
  parametersOf(message).size === 0 ? 'string' : `(values: ${valuesType(message)}) => string`

/** The type of a message's parameters, by name. */
function valuesType(message: string): string {
  const parameters = [...parametersOf(message)].toSorted(([one], [other]) => one.localeCompare(other))
  return `{ ${parameters.map(([name, type]) => `readonly ${name}: ${type}`).join('; ')} }`
}

/** The sections of the English catalogs that the service sends too. */
const sentOnes: Readonly<Record<string, readonly string[]>> = {
  common: ['refusals', 'problems'],
  'config-problems': ['configProblems', 'allowed'],
  reasons: ['cameraReasons', 'recordingReasons'],
  exports: ['exportReasons'],
  access: ['accessRules'],
}

/**
 * The English text of each code that the service sends: the text of `server/src/shared/messages/english.gen.ts`. Its quotes are
 * straight, as in all output for programs, logs and terminals.
 */
export async function englishOfCodes(): Promise<string> {
  const sections = Object.entries(sentOnes).flatMap(([name, sections]) => {
    const catalog = readCatalog('en', name)
    return sections.map((section) => [section, straightened(catalog[section] ?? {})] as const)
  })
  const english: Catalog = Object.fromEntries(sections)
  const texts = objectOf(english, english, [], (message) => `: ${valuesType(message)}`)
  const source = [
    '// Generated from the English messages of the web UI by `npm run docs`.',
    "import { number, plural, select, withoutFinalPeriod } from './english-formats.ts'",
    '',
    '/** The English text of each code, by section: a text, or a function of its values. */',
    `export const english = ${texts} as const`,
  ].join('\n')
  return formatted(source, resolve(folder, '../../../server/src/shared/messages/english.gen.ts'))
}

/** In an ICU message, an apostrophe is written as two. */
const straightened = (value: string | Catalog): string | Catalog =>
  typeof value === 'string'
    ? value.replaceAll('’', "''").replaceAll(/[“”]/g, '"')
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, straightened(inner)]))

/** As `npm run format` would format it. */
async function formatted(source: string, file: string): Promise<string> {
  const settings = JSON.parse(readFileSync(resolve(folder, '../../../.oxfmtrc.json'), 'utf8')) as FormatOptions
  const { code, errors } = await format(basename(file), source, settings)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  return code
}
