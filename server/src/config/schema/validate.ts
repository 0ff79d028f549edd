import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { TValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import type { AnyCodedMessage } from '../../shared/messages/coded-message.ts'
import { compiledValidator } from '../../shared/compiled-validator.ts'
import type { ConfigText } from '../text/config-text.ts'
import { allowedBy } from '../constraint.ts'
import { describeAllowed, wrongValue } from './describe-constraint.ts'
import {
  containsSecret,
  isSecretSection,
  listOf,
  schemaAt,
  sectionOf,
  tableValue,
  type ConfigOf,
  type Schema,
} from '../key.ts'
import { isPlainName, maxProblems, type Path, type ProblemCollector } from '../problem-collector.ts'
import { defaultOf, readTree } from './read-tree.ts'
import { unknownKey } from './suggest.ts'
import { pathOf, plainOf, remove, replaced, valueAt, type Tree } from './tree.ts'
import { configProblem } from '../problem-codes.ts'

/**
 * Reads a file by a schema. TypeBox checks the value; each of its errors is reported as a problem at its position in the
 * file, and what it rejects is replaced by the key's default, so that later checks get a complete configuration.
 */
export function validate<S extends TSchema>(schema: S, text: ConfigText, report: ProblemCollector): ConfigOf<S> {
  const tree = readTree(schema, text, report)
  if (tree === undefined) return defaultOf(schema) as ConfigOf<S>
  const file: File = { top: schema, tree, locate: text.locate, report }
  const plain = plainOf(file.tree)
  const validator = compiledValidator(schema)
  if (validator.Check(plain)) return file.tree as ConfigOf<S>
  for (const error of allErrors(validator, plain)) reportError(file, error)
  // What is still wrong in it would be in the way of later checks.
  return (report.isFull() ? defaultOf(schema) : file.tree) as ConfigOf<S>
}

interface File {
  readonly top: Schema
  /** The value; what is wrong gets replaced. */
  tree: Tree
  readonly locate: ConfigText['locate']
  readonly report: ProblemCollector
}

/** Every error. TypeBox stops after eight, which is right for requests; the limit is a setting of the process. */
function allErrors(validator: Validator, value: unknown): readonly TValidationError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: Number.POSITIVE_INFINITY })
  try {
    return validator.Errors(value)
  } finally {
    Settings.Set({ maxErrors })
  }
}

function reportError(file: File, error: TValidationError): void {
  if (file.report.isFull()) return
  const path = pathOf(file.tree, error.instancePath)
  const { schema = {}, isInSecret } = schemaAt(file.top, path)
  switch (error.keyword) {
    case 'required':
      for (const key of error.params.requiredProperties)
        reportMissing(file, sectionOf(schema)?.properties?.[key] ?? {}, [...path, key])
      return
    case 'additionalProperties':
      for (const name of error.params.additionalProperties.slice(0, maxProblems + 1))
        reportName(file, schema, path, name, isInSecret)
      return
    // Reported as additional properties.
    case 'boolean':
      return
    case 'minItems':
    case 'maxItems':
    case 'uniqueItems':
      file.report.problem(path, wrongSize(file, schema, path, isInSecret))
      return
    default: {
      if (isOneOfUnion(schema, valueAt(file.tree, path))) return
      file.report.problem(path, wrongValue(file.locate(path).node, schema, isInSecret || containsSecret(schema)))
      file.tree = replaced(file.tree, path, defaultOf(schema))
    }
  }
}

/** A list or section that is allowed beside something else: the errors inside it say what is wrong. */
function isOneOfUnion(schema: Schema, value: unknown): boolean {
  if (Array.isArray(value)) return listOf(schema) !== undefined
  return schema.anyOf !== undefined && sectionOf(schema) !== undefined && typeof value === 'object' && value !== null
}

function reportMissing(file: File, schema: Schema, path: Path): void {
  const allowed = allowedBy(schema)
  file.report.problem(path, configProblem('key-missing', { allowed }, { allowed: describeAllowed(allowed) }))
  file.tree = replaced(file.tree, path, defaultOf(schema))
}

/** Reports a name that isn't allowed in a section or table. */
function reportName(file: File, schema: Schema, around: Path, name: string, isInSecret: boolean): void {
  const path = [...around, name]
  const isVisible = !isInSecret && !isSecretSection(schema) && (!containsSecret(schema) || isPlainName(name))
  const known = Object.keys(sectionOf(schema)?.properties ?? {})
  const { problem, shown } = schema.wrongName?.(name) ?? unknownKey(name, around, known, file.top, isVisible)
  file.report.wrongKey(path, problem, [...around, shown])
  const value = tableValue(schema)
  if (value) file.tree = replaced(file.tree, path, defaultOf(value))
  else remove(file.tree, path)
}

function wrongSize(file: File, schema: Schema, path: Path, isInSecret: boolean): AnyCodedMessage {
  const problem = listOf(schema)?.wrongSize
  if (problem) return problem
  const { node } = file.locate(path)
  if (node?.kind !== 'list' || node.items.length > 0)
    return wrongValue(node, schema, isInSecret || containsSecret(schema))
  const allowed = allowedBy(schema)
  return configProblem('list-empty', { allowed }, { allowed: describeAllowed(allowed) })
}
