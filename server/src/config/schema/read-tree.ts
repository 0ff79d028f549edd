import type { ConfigText } from '../text/config-text.ts'
import { allowedBy } from '../constraint.ts'
import { describeAllowed } from './describe-constraint.ts'
import { isSecretSection, listOf, sectionOf, tableValue, type Schema } from '../key.ts'
import { configProblem, type EngineProblem } from '../problem-codes.ts'
import { hidden, shownText, type Path, type ProblemCollector } from '../problem-collector.ts'
import { targetOf, type TextNode, type TextTable } from '../text/text-node.ts'
import type { Tree } from './tree.ts'

/** Maximum number of values below `*names`: without it, a short file could expand beyond the memory. */
const maxRepeated = 100_000

interface Reader extends Pick<ConfigText, 'locate' | 'placeAt'> {
  readonly report: ProblemCollector<EngineProblem>
  /** Values read below an alias so far. */
  repeated: number
  /** The texts of the values so far. */
  readonly texts: Map<string, string>
}

/** Position of a value that is being read. */
interface At {
  readonly path: Path
  /** Whether the value is below an alias. */
  readonly isRepeated: boolean
  /** Whether the value is below a section with a secret key: a name that isn't a known key is not quoted. */
  readonly isInSecret: boolean
}

/**
 * Reads a file's syntax tree as far as the schema follows it, and adds the default of each key that is missing or empty.
 * Reports only what a value can't show afterwards: duplicate and empty keys, aliases. The schema's keywords are checked
 * by `validate`.
 *
 * @returns undefined if aliases repeat too many values
 */
export function readTree(schema: Schema, text: ConfigText, report: ProblemCollector<EngineProblem>): Tree {
  const { root, locate, placeAt } = text
  const reader: Reader = { locate, placeAt, report, repeated: 0, texts: new Map() }
  const tree = read(reader, schema, root, { path: [], isRepeated: false, isInSecret: false })
  if (reader.repeated <= maxRepeated) return tree
  report.problem([], configProblem('too-many-repeats', { max: maxRepeated }))
  return undefined
}

/** Value of a key that is not in the file. */
export function defaultOf(schema: Schema): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, defaultOf(inner)]))
  }
  if (tableValue(schema)) return new Map()
  if (schema.type === 'array') return schema.default ?? []
  // A list or a section: an empty list stands in for either.
  if (schema.default === undefined && sectionOf(schema)) return []
  // A required key has no default; an empty text stands in for it beside the problem.
  return schema.default === undefined ? '' : schema.default
}

function read(reader: Reader, schema: Schema, given: TextNode | null, at: At): unknown {
  const { path } = at
  const node = targetOf(given)
  if (node === undefined) {
    reader.report.problem(path, configProblem('unknown-alias'))
    return defaultOf(schema)
  }
  const isRepeated = at.isRepeated || given?.kind === 'alias'
  if (isRepeated && (reader.repeated += 1) > maxRepeated) return null
  const below: At = { path, isRepeated, isInSecret: at.isInSecret || isSecretSection(schema) }
  const value = tableValue(schema)
  const table = node?.kind === 'table' ? node : null
  const isNull = node === null || (node.kind === 'scalar' && node.value === null)
  // A table or section that is empty or `null` counts as missing.
  if (table || isNull) {
    const section = table ? sectionOf(schema) : schema
    if (section?.properties) return readSection(reader, section.properties, table, below)
    if (value) return readTable(reader, value, table, below)
  }
  if (node === null || (isNull && node.kind === 'scalar' && node.source === '')) return readEmpty(reader, schema, path)
  if (node.kind === 'scalar') return typeof node.value === 'string' ? kept(reader, node.value) : node.value
  const list = listOf(schema)
  if (node.kind === 'list' && list) {
    return node.items.map((item, index) => read(reader, list.items ?? {}, item, { ...below, path: [...path, index] }))
  }
  // What is inside a list or table that isn't allowed here doesn't matter.
  return node.kind === 'list' ? [] : {}
}

/**
 * One copy of all equal texts: a camera's name can be in a million places. A slice of the file would keep all of the file
 * in memory, with its secrets, so it is copied.
 */
function kept({ texts }: Reader, text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  const copy = JSON.parse(JSON.stringify(text)) as string
  texts.set(copy, copy)
  return copy
}

function readEmpty({ report }: Reader, schema: Schema, path: Path): unknown {
  if (schema.type !== 'array' || !schema.default) {
    const [allowed, optional] = [allowedBy(schema), schema.default !== undefined]
    const values = { allowed, ...(optional && { optional: true as const }) }
    report.problem(path, configProblem('value-empty', values, { allowed: describeAllowed(allowed), optional }))
  }
  return defaultOf(schema)
}

/** Unknown keys are kept, and required keys left out, for the check by the schema. */
function readSection(
  reader: Reader,
  properties: Readonly<Record<string, Schema>>,
  node: TextTable | null,
  at: At,
): Record<string, unknown> {
  const given = pairsOf(reader, node, at, (name) => Object.hasOwn(properties, name))
  const values = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(properties)) {
    const below = { ...at, path: [...at.path, key] }
    if (given.has(key)) values.set(key, read(reader, inner, given.get(key) ?? null, below))
    else if (inner.properties) values.set(key, readSection(reader, inner.properties, null, below))
    else if (inner.default !== undefined || tableValue(inner)) values.set(key, defaultOf(inner))
  }
  for (const name of given.keys()) if (!Object.hasOwn(properties, name)) values.set(name, null)
  return Object.fromEntries(values)
}

function readTable(reader: Reader, value: Schema, node: TextTable | null, at: At): Map<string, unknown> {
  const pairs = pairsOf(reader, node, at, () => false)
  return new Map(
    [...pairs].map(([name, inner]) => [name, read(reader, value, inner, { ...at, path: [...at.path, name] })]),
  )
}

/** The values of a table by name, as text; a duplicate name is a problem, and the first value wins. */
function pairsOf(
  reader: Reader,
  node: TextTable | null,
  { path, isInSecret }: At,
  isKnown: (name: string) => boolean,
): ReadonlyMap<string, TextNode | null> {
  const { report, locate, placeAt } = reader
  const pairs = new Map<string, TextNode | null>()
  for (const { name, start, value } of node?.keys ?? []) {
    if (name === undefined) {
      report.problemAt(placeAt(start), configProblem('invalid-key'))
    } else if (!pairs.has(name)) pairs.set(kept(reader, name), value)
    else {
      const { line } = locate([...path, name]).place
      const shown = isInSecret && !isKnown(name) ? hidden : shownText(name)
      report.problemAt(placeAt(start), configProblem('duplicate-key', { key: shown, line }))
    }
  }
  return pairs
}
