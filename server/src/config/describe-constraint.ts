import { isScalar, isSeq } from 'yaml'
import { allowedBy } from './constraint.ts'
import { tableValue, type Schema } from './key.ts'
import type { EngineProblem } from './problem-codes.ts'
import { quoted, shownText } from './problem-collector.ts'

/** Describes in words what a schema allows. */
export function words(schema: Schema): string {
  if (schema.allowed !== undefined) return schema.allowed.words
  if (schema.anyOf) {
    const choices = schema.anyOf.map(words)
    return choices.join(choices.some((each) => each.includes(',')) ? ', or ' : ' or ')
  }
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum) return `one of ${schema.enum.map((each) => `\`${String(each)}\``).join(', ')}`
  switch (schema.type) {
    case 'boolean':
      return '`true` or `false`'
    case 'integer':
      return `a whole number${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'string':
      return schema.minLength === undefined ? 'a text' : 'a text that is not empty'
    case 'null':
      return 'null'
    case 'array':
      return `a list, each ${words(schema.items ?? {})}`
    case undefined:
    default:
      return tableValue(schema) ? 'a table of names' : 'a table of keys'
  }
}

function range({ minimum, maximum, exclusiveMinimum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  return exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`
}

/** Problem for a text that the schema does not allow. */
export const wrongText = (text: string, schema: Schema): EngineProblem => ({
  code: 'invalid-value',
  values: { found: quoted(text), allowed: allowedBy(schema) },
  message: `found ${quoted(text)}; allowed: ${words(schema)}`,
})

/** A scalar as quoted in a message; undefined for a secret or any other node. */
function quotable(node: unknown, secret: boolean): string | undefined {
  if (!isScalar(node) || secret || node.value === null || node.value === '') return undefined
  return found(node, secret)
}

/**
 * Problem for a value that the schema does not allow.
 *
 * @param maybeSecret whether the value may be a secret in the wrong place
 */
export function wrongValue(node: unknown, schema: Schema, maybeSecret: boolean): EngineProblem {
  const isEmpty = isScalar(node) && node.value === ''
  const secret = schema.secret === true || (maybeSecret && !isEmpty)
  const message = `found ${found(node, secret)}; allowed: ${words(schema)}`
  const quote = quotable(node, secret)
  const text = isScalar(node) && schema.type === 'string' && typeof node.value !== 'string' && node.value !== null
  return {
    code: 'invalid-value',
    values: {
      ...(quote !== undefined && { found: quote }),
      allowed: allowedBy(schema),
      ...(text && { quotes: true as const }),
    },
    message: text ? `${message} (put it in quotes)` : message,
  }
}

/** Describes in words the value in the file. Never quotes a secret. */
function found(node: unknown, secret: boolean): string {
  if (!isScalar(node)) return isSeq(node) ? 'a list' : 'a table'
  const { value } = node
  if (value === null) return 'null'
  if (secret) return `a ${typeof value === 'string' ? 'text' : typeof value}`
  if (typeof value === 'string') return value === '' ? 'an empty text' : quoted(value)
  return shownText((node.source ?? JSON.stringify(value)).slice(0, 64))
}
