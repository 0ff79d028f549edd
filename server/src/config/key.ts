import { Type, type Static, type TArray, type TObject, type TRecord, type TSchema } from 'typebox'

/**
 * The value type of a section's schema. Every key is present, filled with its default. A table whose keys the user
 * chooses is a Map: it keeps the order of the file, and `__proto__` is an ordinary name.
 */
export type ConfigOf<S extends TSchema> =
  S extends TObject<infer Properties>
    ? { readonly [Key in keyof Properties]: ConfigOf<Properties[Key]> }
    : S extends TRecord<string, infer Value>
      ? ReadonlyMap<string, ConfigOf<Value>>
      : S extends TArray<infer Item>
        ? readonly ConfigOf<Item>[]
        : Static<S>

/** A required text format: a stable code and a description. */
export interface ValueFormat {
  readonly form: FormCode
  readonly words: string
}

export type FormCode =
  | 'rate-limit'
  | 'cookie-name'
  | 'cameras'
  | 'camera-source'
  | 'database'
  | 'base-path'
  | 'frame-ancestor'
  | 'origin'
  | 'host'
  | 'host-name'
  | 'trusted-header'
  | 'secret'
  | 'networks'
  | 'network'
  | 'some-text'
  | 'role'
  | 'link'
  | 'file'
  | 'polygons'

/** Properties of a key that JSON Schema cannot express. */
export interface KeyDocs {
  readonly title?: string
  readonly description: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  /** What the key allows, if the schema's own description would be unclear. */
  readonly allowed?: ValueFormat
  /** A change takes effect at the next start. If absent: on save. */
  readonly restart?: true
  /** Never quoted in a message, never part of a response. */
  readonly secret?: true
}

/** A section or subsection; unknown keys are rejected. */
export const section = <P extends Record<string, TSchema>>(properties: P, manual: KeyDocs): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, default: {}, ...manual })

/** A schema that also allows `null`, for no value. */
export const nullable = <S extends TSchema>(schema: S, manual: KeyDocs) =>
  Type.Union([schema, Type.Null()], { default: null, ...manual })

/** A schema as this folder reads it: the JSON Schema keywords in use, and a key's documentation. */
export interface Schema extends Partial<KeyDocs> {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly pattern?: string
}

/** Schema of a table's values; undefined if the schema is not a table. */
export const tableValue = (schema: Schema): Schema | undefined => Object.values(schema.patternProperties ?? {})[0]

/** The schemas directly inside a schema. */
const partsOf = ({ properties = {}, patternProperties = {}, items, anyOf = [] }: Schema): readonly Schema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...(items ? [items] : []),
  ...anyOf,
]

/** Whether the schema is a secret key, or a section or table that contains one at any depth. */
export const holdsSecret = (schema: Schema): boolean => schema.secret === true || partsOf(schema).some(holdsSecret)

/** Whether the schema is a section with a secret key directly in it: a value in a wrong key may be that secret. */
export const isSecretSection = ({ properties = {} }: Schema): boolean =>
  Object.values(properties).some(({ secret }) => secret === true)
