import { Type, type TSchema } from 'typebox'

/** A JSON value that can also be null. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
