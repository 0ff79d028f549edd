import type { CodedMessage } from '../shared/coded-message.ts'

export interface UserNameProblems {
  'invalid-username': null
  'no-letter': null
  'reserved-name': null
}

/** Why a new user can't have this name; undefined if it is allowed (USER-1). */
export function userNameProblem(name: string): CodedMessage<UserNameProblems> | undefined {
  if (!shape.test(name)) {
    return { code: 'invalid-username', message: 'must be 1 to 64 letters, digits, `.`, `_`, `-`, `@` or `+`' }
  }
  if (!/[A-Za-z0-9]/.test(name)) return { code: 'no-letter', message: 'must contain a letter or digit' }
  if (name.toLowerCase() === 'anonymous') return { code: 'reserved-name', message: 'is a reserved name' }
  return undefined
}

const shape = /^[A-Za-z0-9._@+-]{1,64}$/

/**
 * A name as a key for comparisons; undefined if it can't be a username.
 * The shape is checked first because `toLowerCase` turns a few non-ASCII letters, such as the Kelvin sign, into ASCII.
 */
export const nameKey = (name: string): string | undefined => (shape.test(name) ? name.toLowerCase() : undefined)
