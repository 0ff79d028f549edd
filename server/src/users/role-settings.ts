import type { ConfigFile } from '../config/config-reload.ts'
import type { SaveResult } from '../config/active-config.ts'
import { ServiceError } from '../shared/errors.ts'
import type { CustomRoles } from './active-roles.ts'
import { withRole } from './edit-roles.ts'
import type { UserReasons } from './reasons.ts'

/** Changes of custom roles in `config.yml`. */
export interface RoleSettings {
  /**
   * Writes a role; it takes effect immediately.
   *
   * @param expected the cameras the role is expected to list, in any order; `absent`: the role must not exist yet
   * @throws ServiceError `precondition-failed` if the role has changed
   */
  setRole(name: string, cameras: readonly string[], expected?: readonly string[] | 'absent'): Promise<SaveResult>
  removeRole(name: string): Promise<SaveResult>
}

type RolesFile = Pick<ConfigFile<{ readonly auth: { readonly roles: CustomRoles } }>, 'editActive'>

export const roleSettings = ({ editActive }: RolesFile): RoleSettings => ({
  setRole: (name, cameras, expected) =>
    editActive((text, { auth }) => {
      refuseOtherRole(expected, auth.roles.get(name))
      return withRole(text, name, cameras)
    }),
  removeRole: (name) => editActive((text) => withRole(text, name, undefined)),
})

function refuseOtherRole(expected: readonly string[] | 'absent' | undefined, now: readonly string[] | undefined): void {
  if (expected === undefined) return
  if (expected === 'absent') {
    if (now === undefined) return
    throw new ServiceError<UserReasons>('precondition-failed', { reason: 'role-name-taken' })
  }
  if (sameCameras(expected, now)) return
  throw new ServiceError<UserReasons>('precondition-failed', {
    reason: 'role-changed',
  })
}

const sameCameras = (expected: readonly string[], now: readonly string[] | undefined): boolean =>
  now !== undefined && [...new Set(expected)].sort().join() === [...new Set(now)].sort().join()
