import type { CustomRole } from '../../access/role.ts'
import { allCameras } from '../../shared/camera/camera-name.ts'
import { momentOf } from '../../shared/time/moment.ts'
import { groupPrefix, hoursOf, isList, isNameOfCamera, newRoleKeys } from './roles.config.ts'
import type { RoleKeys, RoleSetting } from './roles.config.ts'
import { day } from '../../shared/time/durations.ts'

/** The part of the configuration that defines the custom roles. */
export interface RoleSettings {
  readonly auth: { readonly roles: ReadonlyMap<string, RoleSetting> }
  readonly camera_groups: ReadonlyMap<string, readonly string[]>
}

/** Custom roles of the configuration, with their groups resolved. A new map for every change. */
export type CustomRoles = ReadonlyMap<string, CustomRole>

/** A role with every key, however it is written. Of a list only names of cameras, as `all` and groups mean nothing in it. */
export const roleKeysOf = (setting: RoleSetting): RoleKeys =>
  isList(setting) ? { ...newRoleKeys, cameras: setting.filter(isNameOfCamera) } : setting

/** The cameras that a role lists, by itself or in groups, whether they exist or not. */
export function listedCameras(setting: RoleSetting, groups: RoleSettings['camera_groups']): 'all' | readonly string[] {
  if (isList(setting)) return setting
  if (setting.cameras.includes(allCameras)) return 'all'
  const named = setting.cameras.flatMap((entry) =>
    entry.startsWith(groupPrefix) ? (groups.get(entry.slice(groupPrefix.length)) ?? []) : [entry],
  )
  return [...new Set(named)]
}

/** The roles that grant a camera group. */
export const rolesWithGroup = ({ auth }: Pick<RoleSettings, 'auth'>, group: string): string[] =>
  [...auth.roles].flatMap(([name, setting]) =>
    !isList(setting) && setting.cameras.includes(`${groupPrefix}${group}`) ? [name] : [],
  )

function customRoleOf(setting: RoleSetting, groups: RoleSettings['camera_groups']): CustomRole {
  const keys = roleKeysOf(setting)
  return {
    cameras: listedCameras(setting, groups),
    allow: keys.allow,
    history: keys.history_days === null ? undefined : Math.round(keys.history_days * day),
    hours: hoursOf(keys),
    validFrom: momentOf(keys.valid_from),
    validUntil: momentOf(keys.valid_until),
  }
}

export const customRolesOf = ({ auth, camera_groups: groups }: RoleSettings): CustomRoles =>
  new Map([...auth.roles].map(([name, setting]) => [name, customRoleOf(setting, groups)]))

/** The custom roles of a configuration that changes, made again only if they or the groups change. */
export function readCustomRoles(settings: () => RoleSettings): () => CustomRoles {
  let made: { readonly from: RoleSettings; readonly roles: CustomRoles } | undefined
  return () => {
    const from = settings()
    if (made?.from.auth.roles !== from.auth.roles || made.from.camera_groups !== from.camera_groups) {
      made = { from, roles: customRolesOf(from) }
    }
    return made.roles
  }
}
