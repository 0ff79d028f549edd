import { format, resolveConfig } from 'prettier'
import { catalogNames, folder, readCatalog } from './catalogs.ts'
import { parametersOf, type Catalog } from './compile.ts'

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
  return format(source, { ...(await resolveConfig(file)), filepath: file })
}

function typeOf(catalog: Catalog): string {
  const entries = Object.entries(catalog).map(
    ([name, value]) => `readonly '${name}': ${typeof value === 'string' ? messageType(value) : typeOf(value)}`,
  )
  return `{ ${entries.join('\n')} }`
}

function messageType(message: string): string {
  const parameters = [...parametersOf(message)].toSorted(([one], [other]) => one.localeCompare(other))
  if (parameters.length === 0) return 'string'
  return `(values: { ${parameters.map(([name, type]) => `readonly ${name}: ${type}`).join('; ')} }) => string`
}
