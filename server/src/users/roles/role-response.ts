import { cameraActions } from '../../access/action.ts'
import { includesCamera } from '../../access/grant.ts'
import { builtinRoles, defaultActions, type Roles } from '../../access/role.ts'
import { allCameras as everyCamera } from '../../shared/camera/camera-name.ts'
import { listedCameras, roleKeysOf, type RoleSettings } from './custom-roles.ts'
import { newRoleKeys, type RoleKeys, type RoleSetting } from './roles.config.ts'
import type { RoleResponse } from './role-schema.ts'

export interface RoleResponseDeps {
  readonly roles: Roles
  readonly settings: RoleSettings
  /** The names of all cameras. */
  readonly allCameras: readonly string[]
  /** A role's cameras that it doesn't grant until an admin confirms them. */
  readonly withheldFrom: (role: string) => readonly string[]
}

type RoleFields = Omit<RoleResponse, 'users'>

/** The built-in roles, then the custom ones in the order of the configuration. */
export const roleResponses = (deps: RoleResponseDeps): RoleFields[] => [
  ...builtinRoles.map((name) => builtinRole(name, deps)),
  ...[...deps.settings.auth.roles].map(([name, setting]) => customRole(name, setting, deps)),
]

const builtinRole = (name: (typeof builtinRoles)[number], { allCameras }: RoleResponseDeps): RoleFields => ({
  ...keysOf({ ...newRoleKeys, cameras: allCameras, allow: name === 'admin' ? cameraActions : defaultActions }),
  name,
  allowed_cameras: [...allCameras],
  builtin: true,
})

function customRole(name: string, setting: RoleSetting, deps: RoleResponseDeps): RoleFields {
  const { roles, settings, allCameras, withheldFrom } = deps
  const listed = listedCameras(setting, settings.camera_groups)
  const coverage = roles.coverageOf(name)
  const withheld = withheldFrom(name).filter((camera) => listed.includes(camera))
  return {
    ...keysOf(roleKeysOf(setting)),
    name,
    allowed_cameras: allCameras.filter((camera) => includesCamera(coverage, camera)),
    ...(withheld.length > 0 && { withheld }),
    builtin: false,
  }
}

const keysOf = ({ cameras, allow, hours, ...others }: RoleKeys) => ({
  cameras: [...cameras],
  allow: [...allow],
  hours: hours.map(({ days, ...times }) => ({ days: [...days], ...times })),
  ...others,
})

/** A role for the audit log: its cameras, and what limits it. */
export function roleInWords({ cameras, ...others }: RoleKeys): string {
  const limits = Object.entries(others).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(newRoleKeys[key as keyof RoleKeys]),
  )
  const named = cameras.includes(everyCamera) ? everyCamera : cameras.join(', ')
  return [named, ...limits.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)].join('; ')
}
