import { Type, type Static, type TArray, type TObject, type TRecord, type TSchema } from 'typebox'

/**
 * What a section's schema reads as. Every key is there, filled with its default, and a table whose keys the user
 * chooses is a Map: it keeps the order of the file, and `__proto__` is a name like any other.
 */
export type Read<S extends TSchema> =
  S extends TObject<infer Properties>
    ? { readonly [Key in keyof Properties]: Read<Properties[Key]> }
    : S extends TRecord<string, infer Value>
      ? ReadonlyMap<string, Read<Value>>
      : S extends TArray<infer Item>
        ? readonly Read<Item>[]
        : Static<S>

/** A form that texts have to have: a stable code, and in words. */
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

/** What a key's schema says beyond JSON Schema. */
export interface KeyDocs {
  readonly title?: string
  readonly description: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  /** What may stand here, where the schema's own words would not be understood. */
  readonly allowed?: ValueFormat
  /** A change takes effect at the next start. Without it: on save. */
  readonly restart?: true
  /** Never quoted in a message, never answered. */
  readonly secret?: true
}

/** A section or a part of one: its keys are all there are. */
export const section = <P extends Record<string, TSchema>>(properties: P, manual: KeyDocs): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, default: {}, ...manual })

/** `null` says that there is none. */
export const nullable = <S extends TSchema>(schema: S, manual: KeyDocs) =>
  Type.Union([schema, Type.Null()], { default: null, ...manual })

/** A schema as this room looks at it: the JSON Schema words in use here, and a key's manual. */
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

/** The schema of a table's values; undefined where the schema is no table. */
export const tableValue = (schema: Schema): Schema | undefined => Object.values(schema.patternProperties ?? {})[0]

/** What a schema's own parts are. */
const partsOf = ({ properties = {}, patternProperties = {}, items, anyOf = [] }: Schema): readonly Schema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...(items ? [items] : []),
  ...anyOf,
]

/** Whether it is a secret key, or a section or table with one somewhere in it. */
export const holdsSecret = (schema: Schema): boolean => schema.secret === true || partsOf(schema).some(holdsSecret)

/** Whether it is a section with a secret key of its own: what is written there may be that secret, at the wrong place. */
export const isSecretSection = ({ properties = {} }: Schema): boolean =>
  Object.values(properties).some(({ secret }) => secret === true)
