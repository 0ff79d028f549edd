import { unauthenticated } from '../access/identity.ts'
import type { Authentication, RefusedToken } from '../http/authentication.ts'
import { methodOf, type User } from '../users/user.ts'

/** Of a request without valid credentials. Whatever changes, it stays so. */
export const noAuthentication: Authentication = {
  identity: unauthenticated,
  reauthenticate: () => noAuthentication,
}

/** The same, of a request whose token or cookie was rejected for a reason that the audit log names. */
export const refusedAuthentication = (
  reason: RefusedToken['reason'],
  ambient: boolean,
  user?: Pick<User, 'name' | 'provider'>,
): Authentication => ({
  ...noAuthentication,
  refusedToken: { reason, user: user ? { name: user.name, authMethod: methodOf(user) } : null, ambient },
})
