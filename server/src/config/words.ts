import { isScalar, isSeq } from 'yaml'
import { tableValue, type Schema } from './key.ts'
import { quoted } from './report.ts'

/** What a schema allows, in words. */
export function words(schema: Schema): string {
  if (schema.allowed !== undefined) return schema.allowed
  if (schema.anyOf) return schema.anyOf.map(words).join(' or ')
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

/** What stands in the file, in words. A secret is never quoted. */
export function found(node: unknown, secret: boolean): string {
  if (!isScalar(node)) return isSeq(node) ? 'a list' : 'a table'
  const { value } = node
  if (value === null) return 'null'
  if (secret) return `a ${typeof value === 'string' ? 'text' : typeof value}`
  if (typeof value === 'string') return value === '' ? 'an empty text' : quoted(value)
  return (node.source ?? JSON.stringify(value)).slice(0, 64)
}
