import { tableValue, type ValueFormat, type Schema } from './key.ts'

/** What a schema allows, for translation: one of these. */
export type Constraint =
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'integer' | 'number'; readonly min?: number; readonly max?: number; readonly above?: number }
  | { readonly kind: 'list'; readonly each: readonly Constraint[] }
  | { readonly kind: 'boolean' | 'null' | 'text' | 'names' | 'keys' }
  | { readonly kind: ValueFormat }

export function allowedBy(schema: Schema): Constraint[] {
  if (schema.allowed !== undefined) return [{ kind: schema.allowed }]
  if (schema.anyOf) return schema.anyOf.flatMap(allowedBy)
  if (schema.const !== undefined) return [{ kind: 'one-of', values: [String(schema.const)] }]
  if (schema.enum) return [{ kind: 'one-of', values: schema.enum.map(String) }]
  const { type, minimum: min, maximum: max, exclusiveMinimum: above } = schema
  switch (type) {
    case 'integer':
    case 'number': {
      const range = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
      return [{ kind: type, ...range, ...(above !== undefined && { above }) }]
    }
    case 'string':
      return [{ kind: schema.minLength === undefined ? 'text' : 'some-text' }]
    case 'boolean':
    case 'null':
      return [{ kind: type }]
    case 'array':
      return [{ kind: 'list', each: allowedBy(schema.items ?? {}) }]
    case undefined:
    default:
      return [{ kind: tableValue(schema) ? 'names' : 'keys' }]
  }
}
