import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'

type Serialize = (value: unknown) => string

const serializers = new WeakMap<TSchema, Serialize>()

/**
 * Returns the function that writes a response as JSON by its schema; properties that the schema lacks are left out.
 *
 * A serializer is compiled by its first response and shared by both ports: compiling all of them at startup took 20 MB
 * and a part of the start.
 */
export function serializerFor(schema: TSchema): Serialize {
  return (value) => {
    let serialize = serializers.get(schema)
    if (!serialize) serializers.set(schema, (serialize = fastJsonStringify(schema)))
    return serialize(value)
  }
}
