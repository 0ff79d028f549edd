/** As much of JSON Schema as `config.yml` is described by. */
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

/** A step from the top of the file to a key; `item` is any place in a list. */
export type Step = string | typeof item
export const item = Symbol('item')

/** What may stand at a place; undefined where nothing is described. */
export function schemaAt(top: JsonSchema, path: readonly Step[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, step) => {
    if (!schema) return undefined
    if (step === item) return anyOf(schema).find(({ items }) => items)?.items
    const whole = anyOf(schema)
    // Own ones only: `constructor` is no key of ours.
    const named = whole.find(({ properties }) => properties && Object.hasOwn(properties, step))?.properties?.[step]
    return named ?? whole.flatMap(({ patternProperties }) => Object.values(patternProperties ?? {}))[0]
  }, top)
}

const anyOf = (schema: JsonSchema): readonly JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(anyOf)]

/** The keys that may stand in a table. */
export const keysOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  anyOf(schema).flatMap(({ properties }) => Object.entries(properties ?? {}))

/** Whether what stands there begins on a line of its own. */
export const isTable = (schema: JsonSchema): boolean =>
  anyOf(schema).some(({ properties, patternProperties }) => properties ?? patternProperties)

/** Values that are worth offering, as they are written in the file. */
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

/** One value on one line, as YAML reads it back. */
export function written(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[A-Za-z/][A-Za-z0-9_./;@=-]*$/.test(value) && !/^(true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value)
}
