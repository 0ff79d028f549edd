import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { allowedBy } from './constraint.ts'
import { holdsSecret, isSecretSection, tableValue, type ConfigOf, type Schema } from './key.ts'
import { hidden, isPlainName, shownText, type Path, type Place, type ProblemCollector } from './problem-collector.ts'
import { unknownKey } from './suggest.ts'
import { words, wrongValue } from './describe-constraint.ts'
import { keyText, type YamlText } from './yaml-text.ts'

/** Maximum number of values below `*names`: without it, a short file could expand beyond the memory. */
const maxRepeated = 100_000

interface Reader {
  readonly top: Schema
  readonly targetOf: YamlText['targetOf']
  readonly placeAt: (offset: number) => Place
  readonly report: ProblemCollector
  /** Values read below an alias so far. */
  repeated: number
}

/**
 * Reads a syntax tree by a schema. A value that does not match is reported as a problem and replaced by its default,
 * so that later checks get a complete configuration.
 */
export function validate<S extends TSchema>(
  schema: S,
  { document, placeAt, targetOf }: YamlText,
  report: ProblemCollector,
): ConfigOf<S> {
  report.put([], placeAt(document.contents?.range[0] ?? 0))
  const reader: Reader = { top: schema, targetOf, placeAt, report, repeated: 0 }
  return read(reader, schema, document.contents, { path: [], repeated: false, secret: false }) as ConfigOf<S>
}

/** Position of a value that is being read. */
interface At {
  readonly path: Path
  /** Whether the value is below an alias. */
  readonly repeated: boolean
  /** Whether the value is below a section with a secret key: such a value is not quoted. */
  readonly secret: boolean
}

/** Value of a key that is not in the file. */
export function defaultOf(schema: Schema): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, defaultOf(inner)]))
  }
  if (tableValue(schema)) return new Map()
  if (schema.type === 'array') return schema.default ?? []
  // A required key has no default; an empty text stands in for it beside the problem.
  return schema.default === undefined ? '' : schema.default
}

function read(reader: Reader, schema: Schema, given: unknown, at: At): unknown {
  const { path } = at
  const node = isAlias(given) ? reader.targetOf(given) : given
  const { problem } = reader.report
  if (node === undefined) {
    problem(path, { code: 'unknown-alias', message: 'refers to an unknown anchor (`*…`)' })
    return defaultOf(schema)
  }
  const below: At = { ...at, repeated: at.repeated || isAlias(given) }
  if (below.repeated && (reader.repeated += 1) > maxRepeated) {
    const message = `repeats too many values: at most ${maxRepeated} can come from \`*…\``
    problem([], { code: 'repeats-too-much', values: { max: maxRepeated }, message })
    return defaultOf(schema)
  }
  const empty = node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '')
  if (empty) {
    if (schema.properties || tableValue(schema) || (schema.type === 'array' && schema.default)) return defaultOf(schema)
    const message = `is empty; allowed: ${words(schema)}${schema.default === undefined ? '' : ', or leave the key out'}`
    const values = { allowed: allowedBy(schema), ...(schema.default !== undefined && { optional: true as const }) }
    problem(path, { code: 'value-empty', values, message })
    return defaultOf(schema)
  }
  const list = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'array')
  if (isSeq(node) && list) return readList(reader, schema, list, node.items, below)
  if (isMap(node) && schema.properties) return readSection(reader, schema, node, below)
  const value = tableValue(schema)
  if (isMap(node) && value) return readTable(reader, value, node, below)
  // A table or section that is `null` counts as missing.
  if (isScalar(node) && node.value === null && (schema.properties || value)) return defaultOf(schema)
  if (isScalar(node) && !schema.properties && !value && Check(schema as TSchema, node.value)) return node.value
  problem(path, wrongValue(node, schema, at.secret || holdsSecret(schema)))
  return defaultOf(schema)
}

function readList(reader: Reader, schema: Schema, list: Schema, items: readonly unknown[], at: At) {
  const { path } = at
  if (items.length < (list.minItems ?? 0)) {
    const message = `found an empty list; allowed: ${words(schema)}`
    reader.report.problem(path, { code: 'list-empty', values: { allowed: allowedBy(schema) }, message })
  }
  return items.map((item, index) => {
    put(reader, [...path, index], item)
    return read(reader, list.items ?? {}, item, { ...at, path: [...path, index] })
  })
}

function readSection(reader: Reader, schema: Schema, node: YAMLMap, at: At): unknown {
  const properties = schema.properties ?? {}
  const { path } = at
  const inside = { ...at, secret: at.secret || isSecretSection(schema) }
  const given = new Map<string, unknown>()
  for (const [name, { value, place }] of pairsOf(reader, node, inside, properties)) {
    if (Object.hasOwn(properties, name)) given.set(name, value)
    else {
      if (place) reader.report.put([...path, name], place)
      const isVisible = !inside.secret && (!holdsSecret(schema) || isPlainName(name))
      const unknown = unknownKey(name, path, Object.keys(properties), reader.top, isVisible)
      reader.report.problem([...path, name], unknown.problem, [...path, unknown.shown])
    }
  }
  return Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => {
      if (given.has(key)) return [key, read(reader, inner, given.get(key), { ...inside, path: [...path, key] })]
      const needed = !inner.properties && !tableValue(inner) && inner.default === undefined
      if (needed) {
        const message = `is missing; allowed: ${words(inner)}`
        reader.report.problem([...path, key], { code: 'key-missing', values: { allowed: allowedBy(inner) }, message })
      }
      return [key, defaultOf(inner)]
    }),
  )
}

function readTable(reader: Reader, value: Schema, node: YAMLMap, at: At): Map<string, unknown> {
  const table = new Map<string, unknown>()
  for (const [name, { value: inner }] of pairsOf(reader, node, at)) {
    table.set(name, read(reader, value, inner, { ...at, path: [...at.path, name] }))
  }
  return table
}

interface Pair {
  readonly value: unknown
  /** Position of the name. */
  readonly place: Place | undefined
}

/** The pairs of a table with their names as text; a duplicate name is a problem, and the first pair wins. */
function pairsOf(
  reader: Reader,
  node: YAMLMap,
  { path, secret }: At,
  known: Readonly<Record<string, Schema>> = {},
): Map<string, Pair> {
  const pairs = new Map<string, Pair>()
  for (const { key, value } of node.items) {
    const name = keyText(key)
    if (name === undefined) {
      const place = placeOfNode(reader, key) ?? reader.placeAt(node.range?.[0] ?? 0)
      reader.report.flaw(place, { code: 'key-no-name', message: 'a key must be a plain name' })
      continue
    }
    const place = placeOfNode(reader, key)
    if (pairs.has(name)) {
      const { line = 1 } = reader.report.placeOf([...path, name]) ?? {}
      const key = secret && !Object.hasOwn(known, name) ? hidden : shownText(name)
      const message = `duplicate key \`${key}\`; it is already set in line ${line}`
      if (place) reader.report.flaw(place, { code: 'duplicate-key', values: { key, line }, message })
      continue
    }
    pairs.set(name, { value: value ?? null, place })
    // The position of a value is its own; that of a table or list is its name.
    if (isScalar(value) && (value.source ?? '') !== '') put(reader, [...path, name], value)
    else if (place) reader.report.put([...path, name], place)
  }
  return pairs
}

function put(reader: Reader, path: Path, node: unknown): void {
  const place = placeOfNode(reader, node)
  if (place) reader.report.put(path, place)
}

function placeOfNode({ placeAt }: Reader, node: unknown): Place | undefined {
  const start = (node as Node | null)?.range?.[0]
  return start === undefined ? undefined : placeAt(start)
}
