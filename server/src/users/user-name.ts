import { type CodedMessage, fieldProblem } from '../shared/coded-message.ts'

export interface UserNameProblems {
  'invalid-username': null
  'no-letter': null
  'reserved-name': null
}

/** Why a new user can't have this name; undefined if it is allowed (USER-1). */
export function userNameProblem(name: string): CodedMessage<UserNameProblems> | undefined {
  if (!shape.test(name)) return fieldProblem('invalid-username')
  if (!/[A-Za-z0-9]/.test(name)) return fieldProblem('no-letter')
  if (name.toLowerCase() === 'anonymous') return fieldProblem('reserved-name')
  return undefined
}

const shape = /^[A-Za-z0-9._@+-]{1,64}$/

/**
 * A name as a key for comparisons; undefined if it can't be a username.
 * The shape is checked first because `toLowerCase` turns a few non-ASCII letters, such as the Kelvin sign, into ASCII.
 */
export const nameKey = (name: string): string | undefined => (shape.test(name) ? name.toLowerCase() : undefined)
