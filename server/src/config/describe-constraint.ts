import { isScalar, isSeq } from 'yaml'
import { english } from '../shared/english.gen.ts'
import { allowedBy, type Constraint } from './constraint.ts'
import type { Schema } from './key.ts'
import { configProblem, type EngineProblem, type ValueShape } from './problem-codes.ts'
import { quoted, shownText } from './problem-collector.ts'

/** What a schema allows, in English: `lax, strict, or none`. */
export const describeSchema = (schema: Schema): string => describeAllowed(allowedBy(schema))

export const describeAllowed = (allowed: readonly Constraint[]): string => alternatives(allowed.flatMap(describe))

/** `auth.roles or proxy.default_role`. */
export const alternatives = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

function describe(one: Constraint): readonly string[] {
  const { kinds, list } = english.allowed
  switch (one.kind) {
    case 'one-of':
      return one.values
    case 'list':
      return [list({ each: describeAllowed(one.each) })]
    case 'integer':
    case 'number':
      return [`${kinds[one.kind]}${rangeOf(one)}`]
    default:
      return [kinds[one.kind]]
  }
}

/** As in the file: a decimal point and no separators. */
function rangeOf({ min, max, above }: { min?: number; max?: number; above?: number }): string {
  const { range } = english.allowed
  if (min !== undefined && max !== undefined) return range.between({ min: String(min), max: String(max) })
  if (min !== undefined) return range.min({ min: String(min) })
  return above === undefined ? '' : range.above({ above: String(above) })
}

/** A value as a message describes it: quoted, or only its shape, or not at all. */
interface Found {
  readonly found?: string
  readonly shape?: ValueShape
}

export function invalidValue(schema: Schema, value: Found, quotes = false): EngineProblem {
  const allowed = allowedBy(schema)
  const { found, shape = '' } = value
  return configProblem(
    'invalid-value',
    { ...value, allowed, ...(quotes && { quotes: true as const }) },
    { hasFound: found !== undefined, found: found ?? '', shape, allowed: describeAllowed(allowed), quotes },
  )
}

/** Problem for a text that the schema does not allow. */
export const wrongText = (text: string, schema: Schema): EngineProblem => invalidValue(schema, { found: quoted(text) })

/**
 * Problem for a value that the schema does not allow.
 *
 * @param maybeSecret whether the value may be a secret in the wrong place
 */
export function wrongValue(node: unknown, schema: Schema, maybeSecret: boolean): EngineProblem {
  const isEmpty = isScalar(node) && node.value === ''
  const secret = schema.secret === true || (maybeSecret && !isEmpty)
  const wantsQuotes =
    isScalar(node) && schema.type === 'string' && typeof node.value !== 'string' && node.value !== null
  return invalidValue(schema, found(node, secret), wantsQuotes)
}

/** Describes the value in the file. Never quotes a secret. */
function found(node: unknown, secret: boolean): Found {
  if (!isScalar(node)) return { shape: isSeq(node) ? 'list' : 'map' }
  const { value } = node
  if (value === null) return { shape: 'null' }
  if (secret) return typeof value === 'string' ? { shape: 'text' } : {}
  if (typeof value === 'string') return value === '' ? { shape: 'empty' } : { found: quoted(value) }
  return { found: shownText((node.source ?? JSON.stringify(value)).slice(0, 64)) }
}
