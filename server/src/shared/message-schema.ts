import { Type, type Static } from 'typebox'
import type { Problem } from './errors.ts'
import type { AnyCodedMessage } from './coded-message.ts'

const Values = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the sentence holds besides its words: numbers, names, what was found.',
})

/** A sentence of an answer, for programs and for those who say it in another language; beside it stand the words. */
export const ReasonResponse = Type.Object({ code: Type.String(), values: Type.Optional(Values) })
export type ReasonResponse = Static<typeof ReasonResponse>

export const reasonResponse = ({ code, values }: Omit<AnyCodedMessage, 'message'>): ReasonResponse => ({
  code,
  ...(values && { values: { ...values } }),
})

export const ProblemResponse = Type.Object({
  field: Type.String({ description: 'What is wrong, as `auth.roles.guard`; empty where no field is meant.' }),
  code: Type.String({ description: 'How, for programs and for those who say it in another language.' }),
  values: Type.Optional(Values),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type ProblemResponse = Static<typeof ProblemResponse>

export const problemResponse = ({ code, values, ...problem }: Problem): ProblemResponse => ({
  ...problem,
  ...reasonResponse({ code, values }),
})
