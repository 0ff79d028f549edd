import { isAlias, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml'
import type { ConfigProblem } from './problem-codes.ts'
import type { Place, ProblemCollector } from './problem-collector.ts'

/** A file read as YAML: its tree, and where in the text each piece of it stands. */
export interface YamlText {
  readonly document: Document.Parsed
  readonly placeAt: (offset: number) => Place
  /** What an alias (`*name`) stands for; undefined where nothing before it has that name. */
  readonly targetOf: (alias: Alias) => Node | undefined
  /** It gives no key: nothing but comments and white space. */
  readonly blank: boolean
}

function noYaml(message: string): ConfigProblem {
  return { code: 'no-yaml', values: { message }, message: `no valid YAML: ${message}` }
}

const own = new Map<string, ConfigProblem>([
  ['TAG_RESOLVE_FAILED', { code: 'yaml-tag', message: 'no valid YAML: tags (`!…`) are not allowed' }],
  // The package's own words quote the file here, which may be a piece of a password.
  ['BAD_DQ_ESCAPE', noYaml('An escape sequence that is not known')],
  ['BAD_SCALAR_START', noYaml('A value that begins like this needs quotes')],
  ['BAD_DIRECTIVE', noYaml('A directive (%…) that is not known')],
  ['MULTIPLE_DOCS', { code: 'second-document', message: 'no valid YAML: a second document begins here' }],
])

/** Reads YAML 1.2 with nothing added: no tags of one's own, no merge keys. Whatever is no such YAML is a problem. */
export function readYaml(text: string, { flaw }: Pick<ProblemCollector, 'flaw'>): YamlText | undefined {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    // The same name once as a number and once as text is the same name: they are compared later, as text.
    uniqueKeys: false,
    // These would quote the line, which may hold a password.
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
    const message = 'a control character; allowed: text'
    flaw(placeAt(control.index), { code: 'control-character-in-file', message })
  }
  const troubles = [...document.errors, ...document.warnings]
  for (const { pos, code, message } of troubles) {
    // What follows a colon is quoted from the file; and may be a secret.
    const problemText = message.replace(/: .*$/s, '').replace(/\.$/, '')
    flaw(placeAt(pos[0]), own.get(code) ?? noYaml(problemText))
  }
  if (document.errors.length > 0 || control) return undefined
  const top: unknown = document.contents
  const blank = top === null || (isScalar(top) && top.value === null) || (isMap(top) && top.items.length === 0)
  const targets = aliasTargets(document)
  return { document, placeAt, targetOf: (alias) => targets.get(alias), blank }
}

/** In one pass: `Alias.resolve` looks through the document each time, and thousands of aliases would take minutes. */
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

/** A key as text, whatever YAML takes it for: `1`, `007` and `true` are names. undefined for a key that is none. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined
  if (typeof key.value === 'string') return key.value
  return typeof key.source === 'string' ? key.source : undefined
}

/** The pair of a table whose key reads so. */
export function pairNamed(table: YAMLMap, name: string): Pair | undefined {
  return table.items.find(({ key }) => keyText(key) === name)
}

export const isTable = isMap
