import { Type, type TSchema } from 'typebox'

/** A field of a request or response that can also be null. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
