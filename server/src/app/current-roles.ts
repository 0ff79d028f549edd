import type { Roles } from '../access/role.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Core } from './core.ts'

/**
 * The roles by which the gate decides. If instances share the configuration and this one is cut off, a role may have lost
 * cameras in the meantime, so no one is let in: not even users whom a proxy signs in, for whom nothing is read from the
 * database. The internal port enforces no role (PORT-2), so no configuration can take anything from its callers.
 */
export const currentRoles =
  ({ configStore, roles }: Pick<Core, 'configStore' | 'roles'>) =>
  (): Pick<Roles, 'grantOf'> =>
    configStore.isCurrent() ? roles() : unknownRoles

const unknownRoles: Pick<Roles, 'grantOf'> = {
  grantOf() {
    throw new ServiceError('unavailable', { reason: 'database-unavailable', retryAfter: 2 })
  },
}
