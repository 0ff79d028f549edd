import type { TSchema } from 'typebox'
import type { Problem } from '../shared/errors.ts'
import type { ConfigOf, Schema } from './key.ts'
import { resolvePlaceholders, type FilledKey, type Lookup } from './placeholder.ts'
import { configProblem, type EngineProblem } from './problem-codes.ts'
import { readConfigText, type ConfigText } from './text/config-text.ts'
import { createReport, maxProblems, type Path, type Place, type ProblemCollector } from './problem-collector.ts'
import { defaultOf } from './schema/read-tree.ts'
import { targetOf } from './text/text-node.ts'
import { validate } from './schema/validate.ts'

/** Resolves the placeholders of one value; an unresolved one is reported at its path. */
export type FillPlaceholders = (text: string, key: FilledKey, path: Path) => string

/** The sections of a configuration, and what only they know about their values. */
export interface ConfigSections<S extends TSchema> {
  readonly schema: S
  /** Schema of the text, if it doesn't have all sections: `complete` adds the others. */
  readonly textSchema?: TSchema
  /** Adds defaults that depend on the text. @param hasTable whether the text has a table under a top-level key */
  complete(read: ConfigOf<S>, hasTable: (key: string) => boolean): ConfigOf<S>
  /** Resolves the placeholders of the values that accept them. */
  fill(written: ConfigOf<S>, fill: FillPlaceholders): ConfigOf<S>
  /** Checks what the schema can't express. */
  check(filled: ConfigOf<S>, report: ProblemCollector): void
  /** Normalizes values that have several spellings. */
  normalize(filled: ConfigOf<S>): ConfigOf<S>
}

/** A configuration as the engine handles it: its schema, how a text is read, and what a change must keep. */
export interface ConfigFormat<C> {
  readonly schema: Schema
  load(text: string): Loaded<C>
  /** Loads a text without the sections of a machine, which are those of another configuration. */
  loadDocument(text: string, machine: Pick<ValidConfig<C>, 'written'>): Loaded<C>
  /** The configuration to apply while `active` is active, if some of its keys change only at a restart. */
  keep(active: C, next: C): C
}

/** A parsed and checked configuration text. */
export interface Loaded<C> {
  /** undefined if there are problems. */
  readonly config: C | undefined
  /** The same configuration with unresolved placeholders. */
  readonly written: C | undefined
  /** All problems, in the order of the text. */
  readonly problems: readonly Problem[]
  /** Allowed values that are probably a mistake. */
  readonly warnings: readonly Problem[]
  /** The text contains only comments: every key has its default. */
  readonly empty: boolean
}

/** A text without problems. */
export type ValidConfig<C> = Loaded<C> & { readonly config: C; readonly written: C }
export const isWhole = <C>(loaded: Loaded<C>): loaded is ValidConfig<C> =>
  loaded.config !== undefined && loaded.written !== undefined

/** Reads, completes and checks a text. Every step gets a complete configuration, so one run finds all problems. */
export function loadText<S extends TSchema>(
  text: string,
  sections: ConfigSections<S>,
  lookup: Lookup,
): Loaded<ConfigOf<S>> {
  const textProblems: [Place, EngineProblem][] = []
  const read = readConfigText(text, (...problem) => void textProblems.push(problem))
  const report = createReport(configProblem('too-many-problems', { max: maxProblems }), read?.locate)
  for (const problem of textProblems) report.problemAt(...problem)
  if (!read) return invalid(report.problems())
  const { schema, textSchema = schema } = sections
  const values = (read.empty ? defaultOf(textSchema) : validate(textSchema, read, report)) as ConfigOf<S>
  const written = sections.complete(values, (key) => hasTable(read, key))
  const filled = sections.fill(written, (value, key, path) => {
    const resolved = resolvePlaceholders(value, key, lookup)
    if ('text' in resolved) return resolved.text
    report.problem(path, resolved.problem)
    return value
  })
  sections.check(filled, report)
  const problems = report.problems()
  const whole = problems.length === 0
  return {
    config: whole ? sections.normalize(filled) : undefined,
    written: whole ? written : undefined,
    problems,
    warnings: report.warnings(),
    empty: read.empty,
  }
}

/** Loads a configuration from the bytes of a text; a missing one counts as empty. */
export function loadBytes<C>(bytes: Buffer | undefined, { load }: Pick<ConfigFormat<C>, 'load'>): Loaded<C> {
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? Buffer.alloc(0))
  } catch {
    return invalid([{ field: '', ...configProblem('not-utf8'), line: 1, column: 1 }])
  }
  return load(text)
}

const invalid = (problems: readonly Problem[]) => ({
  config: undefined,
  written: undefined,
  problems,
  warnings: [],
  empty: false,
})

function hasTable({ root }: ConfigText, key: string): boolean {
  if (root?.kind !== 'table') return false
  const given = root.keys.find(({ name }) => name === key)?.value ?? null
  return targetOf(given)?.kind === 'table'
}
