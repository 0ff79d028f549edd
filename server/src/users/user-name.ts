import type { CodedMessage } from '../shared/coded-message.ts'

export interface UserNameProblems {
  'user-name-signs': null
  'no-letter': null
  'reserved-name': null
}

/** Why a new user may not be called so; undefined when it may (USER-1). */
export function userNameProblem(name: string): CodedMessage<UserNameProblems> | undefined {
  if (!shape.test(name)) {
    return { code: 'user-name-signs', message: 'is not 1 to 64 of letters, digits, `.`, `_`, `-`, `@` and `+`' }
  }
  if (!/[A-Za-z0-9]/.test(name)) return { code: 'no-letter', message: 'has no letter or digit' }
  if (name.toLowerCase() === 'anonymous') return { code: 'reserved-name', message: 'is a reserved name' }
  return undefined
}

const shape = /^[A-Za-z0-9._@+-]{1,64}$/

/**
 * A name as it is compared; undefined for what can be nobody's name.
 * The shape comes first because `toLowerCase` makes ASCII of a few letters that are not, as of the Kelvin sign.
 */
export const nameKey = (name: string): string | undefined => (shape.test(name) ? name.toLowerCase() : undefined)
