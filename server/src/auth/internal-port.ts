import { internalAdmin } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'

const authentication: Authentication = { identity: internalAdmin, reauthenticate: () => authentication }

/** Every request on the internal port is `anonymous` with the role `admin`; its credentials are ignored (PORT-2, PORT-3). */
export const authenticateInternal = (): Authentication => authentication
