import { rolesFrom, type Roles } from '../access/role.ts'

/** Custom roles of the configuration, each with its cameras. A new map for every change. */
export type CustomRoles = ReadonlyMap<string, readonly string[]>

/** Which of a role's listed cameras the role actually grants. */
export interface Granted {
  grants(role: string, camera: string): boolean
  /** Increases with every change. */
  readonly version: number
}

/**
 * Grants of the active configuration, rebuilt only when the roles or the granted cameras change. A grant leaves out
 * every listed camera that the role doesn't grant, or not yet (CAM-4).
 */
export function activeRoles(customRoles: () => CustomRoles, granted: Granted): () => Roles {
  const make = (custom: CustomRoles): Roles =>
    rolesFrom(
      new Map([...custom].map(([role, cameras]) => [role, cameras.filter((each) => granted.grants(role, each))])),
    )
  let custom = customRoles()
  let version = granted.version
  let roles = make(custom)
  return () => {
    const now = customRoles()
    if (now !== custom || granted.version !== version) {
      custom = now
      version = granted.version
      roles = make(custom)
    }
    return roles
  }
}
