import { english } from '../../shared/messages/english.gen.ts'
import { allowedBy, type Constraint } from '../constraint.ts'
import type { Schema } from '../key.ts'
import { nearest } from './nearest.ts'
import { configProblem, type EngineProblem, type ValueShape } from '../problem-codes.ts'
import { quoted, shownText } from '../problem-collector.ts'
import type { TextValue } from '../text/text-node.ts'

/** What a schema allows, in English: `lax, strict, or none`. */
export const describeSchema = (schema: Schema): string => describeAllowed(allowedBy(schema))

export function describeAllowed(allowed: readonly Constraint[]): string {
  const forms = allowed.flatMap(describe)
  const [form = '', other] = forms
  // Without a semicolon, `null` would read as part of a form with commas.
  const isOptional = forms.length === 2 && other === english.allowed.kinds.null && form.includes(',')
  return isOptional ? english.allowed.orNull({ form }) : alternatives(forms)
}

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
  /** The allowed value that is meant, if one is near. */
  readonly meant?: string
}

export function invalidValue(schema: Schema, value: Found, quotes = false): EngineProblem {
  const allowed = allowedBy(schema)
  const { found, shape = '', meant } = value
  return configProblem(
    'invalid-value',
    { ...value, allowed, ...(quotes && { quotes: true as const }) },
    {
      hasFound: found !== undefined,
      found: found ?? '',
      shape,
      allowed: describeAllowed(allowed),
      quotes,
      hasMeant: meant !== undefined,
      meant: meant ?? '',
    },
  )
}

/** Problem for a text that the schema does not allow. */
export const wrongText = (text: string, schema: Schema): EngineProblem =>
  invalidValue(schema, { found: quoted(text), ...meantBy(text, schema) })

/**
 * Problem for a value that the schema does not allow.
 *
 * @param maybeSecret whether the value may be a secret in the wrong place
 */
export function wrongValue(node: TextValue | null | undefined, schema: Schema, maybeSecret: boolean): EngineProblem {
  const scalar = node?.kind === 'scalar' ? node : undefined
  const isEmpty = scalar?.value === ''
  const secret = (schema.secret === true || maybeSecret) && !isEmpty
  const wantsQuotes = scalar && schema.type === 'string' && typeof scalar.value !== 'string' && scalar.value !== null
  const meant = typeof scalar?.value === 'string' && !secret ? meantBy(scalar.value, schema) : {}
  return invalidValue(schema, { ...found(node, secret), ...meant }, wantsQuotes)
}

/** The allowed value that a misspelled text most likely means. */
function meantBy(text: string, schema: Schema): Pick<Found, 'meant'> {
  const [one, ...others] = allowedBy(schema)
  if (one === undefined || others.length > 0 || text === '') return {}
  const meant = one.kind === 'one-of' ? nearest(text, one.values) : nearestOf[one.kind]?.(text)
  return meant === undefined ? {} : { meant }
}

/** For formats with a value near most misspelled texts. */
const nearestOf: Readonly<Partial<Record<Constraint['kind'], (text: string) => string | undefined>>> = {
  'time-of-day': nearestTime,
  'time-zone': (text) => nearest(text, Intl.supportedValuesOf('timeZone')),
}

/** `7:5` is meant to be `07:05`, `9` to be `09:00`, `7 pm` to be `19:00`, and `25:00` to be `24:00`. */
function nearestTime(text: string): string | undefined {
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?:[:.h](\d{1,2}))?\s*([ap])?\.?m?\.?$/i.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const shift = half === undefined ? 0 : (half.toLowerCase() === 'p' ? 12 : 0) - (hours === '12' ? 12 : 0)
  const all = Math.min((Number(hours) + shift) * 60 + Math.min(Number(minutes), 59), 24 * 60)
  return [Math.floor(all / 60), all % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Describes the value in the file. Never quotes a secret. */
function found(node: TextValue | null | undefined, secret: boolean): Found {
  if (node?.kind !== 'scalar') return { shape: node?.kind === 'list' ? 'list' : 'map' }
  const { value } = node
  if (value === null) return { shape: 'null' }
  if (secret) return typeof value === 'string' ? { shape: 'text' } : {}
  if (typeof value === 'string') return value === '' ? { shape: 'empty' } : { found: quoted(value) }
  return { found: shownText(node.source.slice(0, 64)) }
}
