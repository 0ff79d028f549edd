import { Type, type Static } from 'typebox'
import type { Problem } from './errors.ts'
import type { AnySaid } from './said.ts'

const Values = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the sentence holds besides its words: numbers, names, what was found.',
})

/** A sentence of an answer, for programs and for those who say it in another language; beside it stand the words. */
export const ReasonShown = Type.Object({ code: Type.String(), values: Type.Optional(Values) })
export type ReasonShown = Static<typeof ReasonShown>

export const reasonShown = ({ code, values }: Omit<AnySaid, 'message'>): ReasonShown => ({
  code,
  ...(values && { values: { ...values } }),
})

export const ProblemShown = Type.Object({
  field: Type.String({ description: 'What is wrong, as `auth.roles.guard`; empty where no field is meant.' }),
  code: Type.String({ description: 'How, for programs and for those who say it in another language.' }),
  values: Type.Optional(Values),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type ProblemShown = Static<typeof ProblemShown>

export const problemShown = ({ code, values, ...problem }: Problem): ProblemShown => ({
  ...problem,
  ...reasonShown({ code, values }),
})
