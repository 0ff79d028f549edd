import { Type, type Static } from 'typebox'
import type { Problem } from '../errors.ts'
import type { AnyCodedMessage } from '../messages/coded-message.ts'

const Values = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values in the message, such as numbers and names.',
})

/** The code and values of a message in a response, for programs and for translation. The English message is next to it. */
export const ReasonResponse = Type.Object({ code: Type.String(), values: Type.Optional(Values) })
export type ReasonResponse = Static<typeof ReasonResponse>

export const reasonResponse = ({ code, values }: Omit<AnyCodedMessage, 'message'>): ReasonResponse => ({
  code,
  ...(values && { values: { ...values } }),
})

export const ProblemResponse = Type.Object({
  field: Type.String({
    description: 'Field with the problem, for example `auth.roles.guard`; empty if the problem has no field.',
  }),
  code: Type.String({ description: 'Code of the problem, for programs and for translation.' }),
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
