import { invalidField, ServiceError } from '../shared/errors.ts'
import { fieldProblem, type CodedMessage } from '../shared/messages/coded-message.ts'
import { passwordProblem, type PasswordProblems } from './password/password-rules.ts'
import type { UserNameProblems } from './user-name.ts'

/** Problems of a new or changed user. */
export interface UserProblems extends UserNameProblems, PasswordProblems {
  missing: null
  'no-such-role': { readonly roles: readonly string[] }
  'printed-password': null
  'given-password': null
  'not-for-own': null
}

export const noSuchRole = (roles: readonly string[]): CodedMessage<UserProblems> =>
  fieldProblem('no-such-role', { roles }, { roles: roles.join(', ') })

export const noSuchUser = (): ServiceError => new ServiceError('not-found', { reason: 'no-such-user' })

/** @throws ServiceError `invalid-request` if the user can't have this password */
export async function requireAllowedPassword(password: string, name: string): Promise<void> {
  const problem = await passwordProblem(password, name)
  if (problem !== undefined) throw invalidField('password', problem)
}
