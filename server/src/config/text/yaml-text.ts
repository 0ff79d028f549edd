import { isMap, isScalar, parseDocument, type Document, type Pair, type ParseOptions, type YAMLMap } from 'yaml'
import type { DocumentOptions, SchemaOptions } from 'yaml'
import { configProblem, type EngineProblem } from '../problem-codes.ts'
import type { Place } from '../problem-collector.ts'
import { placesIn } from './text-places.ts'

/** A text parsed as YAML, with its comments. */
export interface YamlText {
  readonly document: Document.Parsed
  /** Contains no key: only comments and white space. */
  readonly empty: boolean
}

const noYaml = (message: string): EngineProblem => configProblem('invalid-yaml', { message })

const own = new Map<string, EngineProblem>([
  ['TAG_RESOLVE_FAILED', configProblem('yaml-tag')],
  // The package's own messages would quote the file, possibly part of a password.
  ['BAD_DQ_ESCAPE', noYaml('Unknown escape sequence')],
  ['BAD_SCALAR_START', noYaml('A value that begins with this character needs quotes')],
  ['BAD_DIRECTIVE', noYaml('Unknown directive (%…)')],
  ['MULTIPLE_DOCS', configProblem('second-document')],
])

/** Plain YAML 1.2: no custom tags, no merge keys. */
export const yamlOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  // The same name as a number and as text is a duplicate: names are compared later, as text.
  uniqueKeys: false,
  // Pretty errors would quote the line, which may contain a password.
  prettyErrors: false,
  logLevel: 'error',
}

/** Parses plain YAML. Anything else is a problem. */
export function readYaml(text: string, problemAt: (place: Place, what: EngineProblem) => void): YamlText | undefined {
  const document = parseDocument(text, yamlOptions)
  const placeAt = placesIn(text)
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/.exec(text)
  if (control) {
    problemAt(placeAt(control.index), configProblem('control-character-in-file'))
  }
  const troubles = [...document.errors, ...document.warnings]
  for (const { pos, code, message } of troubles) {
    // The text after a colon is quoted from the file and may be a secret.
    const problemText = message.replace(/: .*$/s, '').replace(/\.$/, '')
    problemAt(placeAt(pos[0]), own.get(code) ?? noYaml(problemText))
  }
  if (document.errors.length > 0 || control) return undefined
  const top: unknown = document.contents
  const empty = top === null || (isScalar(top) && top.value === null) || (isMap(top) && top.items.length === 0)
  return { document, empty }
}

/** A key as text, whatever type YAML gives it: `1`, `007` and `true` are names. undefined if the key is not a scalar. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined
  if (typeof key.value === 'string') return key.value
  return typeof key.source === 'string' ? key.source : undefined
}

/** The pair of a table with the given key. */
export function pairNamed(table: YAMLMap, name: string): Pair | undefined {
  return table.items.find(({ key }) => keyText(key) === name)
}
