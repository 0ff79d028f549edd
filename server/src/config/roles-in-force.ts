import { rolesFrom, type Roles } from '../access/role.ts'
import type { Config } from './config.ts'

/** The grants of the configuration in force, made again only when its roles are others. */
export function rolesInForce(config: () => Config): () => Roles {
  let custom = config().auth.roles
  let roles = rolesFrom(custom)
  return () => {
    const now = config().auth.roles
    if (now !== custom) {
      custom = now
      roles = rolesFrom(custom)
    }
    return roles
  }
}
