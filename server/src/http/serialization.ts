import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'

type Serialize = (value: unknown) => string

/** By the text of their schema: a route's schema can be another object each time a service starts in this process. */
const serializers = new Map<string, Serialize>()

/**
 * Returns the function that writes a response as JSON by its schema; properties that the schema lacks are left out.
 *
 * A serializer is compiled by its first response and shared by both ports, and by all routes with an equal schema:
 * compiling all of them at startup took 20 MB and a part of the start.
 */
export function serializerFor(schema: TSchema): Serialize {
  let serialize: Serialize | undefined
  return (value) => (serialize ??= compiled(schema))(value)
}

function compiled(schema: TSchema): Serialize {
  const text = JSON.stringify(schema)
  const serialize = serializers.get(text) ?? fastJsonStringify(schema)
  serializers.set(text, serialize)
  return serialize
}
