import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml'
import { configProblem, type EngineProblem } from './problem-codes.ts'
import type { Path, Place } from './problem-collector.ts'

/** A file parsed as YAML: its tree, with the position of each node. */
export interface YamlText {
  readonly document: Document.Parsed
  readonly placeAt: (offset: number) => Place
  /** The node that an alias (`*name`) refers to; undefined if no earlier node has that anchor. */
  readonly targetOf: (alias: Alias) => Node | undefined
  /** Where a path leads; aliases on the way are followed. */
  readonly locate: (path: Path) => Location
  /** Contains no key: only comments and white space. */
  readonly blank: boolean
}

interface Location {
  /** The position of a value is its own; that of a table or list is its name. If it's missing: that of what contains it. */
  readonly place: Place
  /** Position of the key's name. */
  readonly name: Place
  /** undefined if missing, null if empty. */
  readonly node: Node | null | undefined
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

/** Parses plain YAML 1.2: no custom tags, no merge keys. Anything else is a problem. */
export function readYaml(text: string, flaw: (place: Place, what: EngineProblem) => void): YamlText | undefined {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    // The same name as a number and as text is a duplicate: names are compared later, as text.
    uniqueKeys: false,
    // Pretty errors would quote the line, which may contain a password.
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text)
  if (control) {
    flaw(placeAt(control.index), configProblem('control-character-in-file'))
  }
  const troubles = [...document.errors, ...document.warnings]
  for (const { pos, code, message } of troubles) {
    // The text after a colon is quoted from the file and may be a secret.
    const problemText = message.replace(/: .*$/s, '').replace(/\.$/, '')
    flaw(placeAt(pos[0]), own.get(code) ?? noYaml(problemText))
  }
  if (document.errors.length > 0 || control) return undefined
  const top: unknown = document.contents
  const blank = top === null || (isScalar(top) && top.value === null) || (isMap(top) && top.items.length === 0)
  const targets = aliasTargets(document)
  const targetOf = (alias: Alias) => targets.get(alias)
  return { document, placeAt, targetOf, locate: createLocator(document, placeAt, targetOf), blank }
}

function createLocator(
  { contents }: Document.Parsed,
  placeAt: YamlText['placeAt'],
  targetOf: YamlText['targetOf'],
): YamlText['locate'] {
  const tables = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairsOf = (table: YAMLMap) => {
    const pairs = tables.get(table) ?? firstPairs(table)
    tables.set(table, pairs)
    return pairs
  }
  const placeOf = (node: unknown) => placeAt(isNode(node) ? (node.range?.[0] ?? 0) : 0)
  const resolved = (node: unknown) => (isAlias(node) ? targetOf(node) : isNode(node) ? node : null)
  return (path) => {
    let at: Location = { place: placeOf(contents), name: placeOf(contents), node: contents }
    for (const part of path) {
      const { node } = at
      if (typeof part === 'number') {
        if (!isSeq(node) || part >= node.items.length) return { ...at, node: undefined }
        const item = node.items[part]
        at = { place: placeOf(item), name: placeOf(item), node: resolved(item) }
      } else {
        const pair = isMap(node) ? pairsOf(node).get(part) : undefined
        if (!pair) return { ...at, node: undefined }
        const isWritten = isScalar(pair.value) && (pair.value.source ?? '') !== ''
        at = { place: placeOf(isWritten ? pair.value : pair.key), name: placeOf(pair.key), node: resolved(pair.value) }
      }
    }
    return at
  }
}

/** The pairs of a table by name; if a name is there twice, the first. */
function firstPairs(table: YAMLMap): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>()
  for (const pair of table.items) {
    const name = keyText(pair.key)
    if (name !== undefined && !pairs.has(name)) pairs.set(name, pair)
  }
  return pairs
}

/** Resolves aliases in one pass: `Alias.resolve` searches the document each time, minutes for thousands of aliases. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) named.set(node.anchor, node)
        return
      }
      const target = named.get(node.source)
      if (target) targets.set(node, target)
    },
  })
  return targets
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

export const isTable = isMap
