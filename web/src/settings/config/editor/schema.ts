/** The part of JSON Schema that the schema of `config.yml` uses. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** A step on the path from the top of the file to a key; `item` is any entry of a list. */
export type Step = string | typeof item
export const item = Symbol('item')

/** The schema at a path; undefined if the schema does not describe it. */
export function schemaAt(top: JsonSchema, path: readonly Step[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, step) => {
    if (!schema) return undefined
    if (step === item) return anyOf(schema).find(({ items }) => items)?.items
    const whole = anyOf(schema)
    // hasOwn, because inherited names such as `constructor` are not keys.
    const named = whole.find(({ properties }) => properties && Object.hasOwn(properties, step))?.properties?.[step]
    return named ?? whole.flatMap(({ patternProperties }) => Object.values(patternProperties ?? {}))[0]
  }, top)
}

const anyOf = (schema: JsonSchema): readonly JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(anyOf)]

/** The keys allowed in a table. */
export const keysOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  anyOf(schema).flatMap(({ properties }) => Object.entries(properties ?? {}))

/** Whether the value starts on a separate line below its key. */
export const isTable = (schema: JsonSchema): boolean =>
  anyOf(schema).some(({ properties, patternProperties }) => properties ?? patternProperties)

/** Values worth suggesting, as written in the file. */
export function valuesOf(schema: JsonSchema): readonly string[] {
  const whole = anyOf(schema)
  const fixed = whole.flatMap((each) => {
    if (each.const !== undefined) return [each.const]
    if (each.enum) return [...each.enum]
    if (each.type === 'boolean') return [true, false]
    return each.type === 'null' ? [null] : []
  })
  const shown = [
    ...fixed,
    ...(isScalar(schema.default) ? [schema.default] : []),
    ...(schema.examples ?? []).filter(isScalar),
  ]
  return [...new Set(shown.map(written))]
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A value on one line that YAML reads back unchanged. */
export function written(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[A-Za-z/][A-Za-z0-9_./;@=-]*$/.test(value) && !/^(true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value)
}
