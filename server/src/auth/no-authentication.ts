import { unauthenticated } from '../access/identity.ts'
import type { Authentication, RefusedToken } from '../http/authentication.ts'

/** Of a request without valid credentials. Whatever changes, it stays so. */
export const noAuthentication: Authentication = {
  identity: unauthenticated,
  reauthenticate: () => noAuthentication,
}

/** The same, of a request whose token or cookie was rejected for a reason that the audit log names. */
export const refusedAuthentication = (refusedToken: RefusedToken): Authentication => ({
  ...noAuthentication,
  refusedToken,
})
