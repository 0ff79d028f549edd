import { Type } from 'typebox'
import { idShape } from '../random-id.ts'

/** `:id` in the path of a route. */
export const IdPath = Type.Object({ id: Type.String({ pattern: idShape.source }) })
