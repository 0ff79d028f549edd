import { Type, type Static, type TArray, type TObject, type TRecord, type TSchema, type TUnion } from 'typebox'
import type { AnyCodedMessage } from '../shared/messages/coded-message.ts'
import type { Path } from './problem-collector.ts'

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
        : S extends TUnion<infer Types>
          ? ConfigOf<Types[number]>
          : Static<S>

/** A required text format: its name in the texts of what a key allows. */
export type ValueFormat =
  | 'rate-limit'
  | 'cookie-name'
  | 'cameras'
  | 'group-cameras'
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
  | 'issuer'
  | 'file'
  | 'polygons'
  | 'role-cameras'
  | 'time-of-day'
  | 'moment'
  | 'time-zone'
  | 'audit-file'
  | 'syslog-address'
  | 'syslog-app-name'
  | 'instance-address'
  | 'label'
  | 'access-key'
  | 's3-endpoint'
  | 's3-region'
  | 's3-bucket'
  | 's3-prefix'

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
  /** The section concerns one machine: it stays in its config.yml even if several instances share the rest. */
  readonly machine?: true
  /** Never quoted in a message, never part of a response. */
  readonly secret?: true
  /** Problem of a list with too few or too many items, if it has its own code. */
  readonly wrongSize?: AnyCodedMessage
  /** Problem of a name that isn't allowed there, if it has its own code. `shown`: the name, or its replacement. */
  readonly wrongName?: (name: string) => { readonly problem: AnyCodedMessage; readonly shown: string } | undefined
}

/** A section or subsection; unknown keys are rejected. */
export const section = <P extends Record<string, TSchema>>(properties: P, manual: KeyDocs): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, default: {}, ...manual })

/**
 * A table whose names the user chooses. `patternProperties` without `additionalProperties: false` wouldn't check the
 * value of a name that the pattern doesn't match.
 *
 * @param names pattern of the names; default: any text, with line breaks
 */
export const table = <V extends TSchema>(value: V, { names = '^[\\s\\S]*$', ...docs }: KeyDocs & { names?: string }) =>
  Type.Record(Type.String({ pattern: names }), value, { additionalProperties: false, default: {}, ...docs })

/** A key that can also be `null`, for no value: its default, if `manual` has no other. */
export const nullableKey = <S extends TSchema>(schema: S, manual: KeyDocs) =>
  Type.Union([schema, Type.Null()], { default: null, ...manual })

/** A schema as this folder reads it: the JSON Schema keywords in use, and a key's documentation. */
export interface Schema extends Partial<KeyDocs> {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
}

/** Schema of a table's values; undefined if the schema is not a table. */
export const tableValue = (schema: Schema): Schema | undefined => Object.values(schema.patternProperties ?? {})[0]

/** Schema of a list, alone or beside `null`; undefined if no list is allowed. */
export const listOf = (schema: Schema): Schema | undefined =>
  [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'array')

/** Schema of a section, alone or beside a list; undefined if no section is allowed. */
export const sectionOf = (schema: Schema): Schema | undefined =>
  [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties !== undefined)

/**
 * Schema of the key at a path; undefined if there is no such key.
 *
 * @returns `isInSecret`: a section around the key has a secret key, which may have been put here by mistake
 */
export function schemaAt(
  top: Schema,
  path: Path,
): { readonly schema: Schema | undefined; readonly isInSecret: boolean } {
  let schema: Schema | undefined = top
  let isInSecret = false
  for (const part of path) {
    isInSecret ||= schema !== undefined && isSecretSection(schema)
    schema = schema && schemaOfPart(schema, part)
  }
  return { schema, isInSecret }
}

/** Schema of a key directly in a section, a table or a list; undefined if there is no such key. */
export function schemaOfPart(schema: Schema, part: string | number): Schema | undefined {
  if (typeof part === 'number') return listOf(schema)?.items
  const { properties = {} } = sectionOf(schema) ?? {}
  return Object.hasOwn(properties, part) ? properties[part] : tableValue(schema)
}

/** The schemas directly inside a schema. */
const partsOf = ({ properties = {}, patternProperties = {}, items, anyOf = [] }: Schema): readonly Schema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...(items ? [items] : []),
  ...anyOf,
]

/** Whether the schema is a secret key, or a section or table that contains one at any depth. */
export const containsSecret = (schema: Schema): boolean =>
  schema.secret === true || partsOf(schema).some(containsSecret)

/** Whether the schema is a section with a secret key directly in it: a value in a wrong key may be that secret. */
export const isSecretSection = ({ properties = {} }: Schema): boolean =>
  Object.values(properties).some(({ secret }) => secret === true)
