import { createHash } from 'node:crypto'
import { type CodedMessage, fieldProblem } from '../shared/messages/coded-message.ts'

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

/** The key of a user of an identity provider (OIDC-2). No username has a colon, so it isn't a local user's. */
export const oidcKey = (issuer: string, subject: string): string =>
  `oidc:${createHash('sha256').update(`${issuer}\0${subject}`).digest('hex')}`

/** A user's key: of a local user by the name, of a provider's user unchanged. undefined: there is no such user. */
export const userKey = (text: string): string | undefined => (/^oidc:[0-9a-f]{64}$/.test(text) ? text : nameKey(text))

/**
 * A name as a key for comparisons; undefined if it can't be a username.
 * The shape is checked first because `toLowerCase` turns a few non-ASCII letters, such as the Kelvin sign, into ASCII.
 */
export const nameKey = (name: string): string | undefined => (shape.test(name) ? name.toLowerCase() : undefined)
