import { rolesFrom, type Roles } from '../access/role.ts'
import type { Config } from './config.ts'

/** Which of the cameras that a role lists it grants. */
export interface Granted {
  grants(role: string, camera: string): boolean
  /** Rises with every change. */
  readonly version: number
}

/**
 * The grants of the configuration in force, made again only when its roles or what they grant are others. A camera that
 * a role lists and that is not, or not yet, its to grant (CAM-4) is not in its grant.
 */
export function activeRoles(config: () => Config, granted: Granted): () => Roles {
  const make = (custom: Config['auth']['roles']): Roles =>
    rolesFrom(
      new Map([...custom].map(([role, cameras]) => [role, cameras.filter((each) => granted.grants(role, each))])),
    )
  let custom = config().auth.roles
  let version = granted.version
  let roles = make(custom)
  return () => {
    const now = config().auth.roles
    if (now !== custom || granted.version !== version) {
      custom = now
      version = granted.version
      roles = make(custom)
    }
    return roles
  }
}
