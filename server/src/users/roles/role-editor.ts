import type { ConfigStore, RequestedChange } from '../../config/config-store.ts'
import type { SaveResult } from '../../config/active-config.ts'
import type { Within } from '../accounts/account-sql.ts'
import { roleKeysOf } from './custom-roles.ts'
import { newRoleKeys, type RoleKeys, type RoleSetting } from './roles.config.ts'
import { ServiceError } from '../../shared/errors.ts'
import { withRole } from './edit-roles.ts'
import type { UserReasons } from '../reasons.ts'

/** Some keys of a role. */
export type RoleChange = Partial<RoleKeys>

/** Changes of custom roles in the configuration. */
export interface RoleEditor {
  /**
   * Writes a role; it takes effect immediately. A key that is not changed stays as it is, and in a new role sets no
   * limit.
   *
   * @param by the change's author, and whether they can still make it
   * @param expected keys that the role is expected to have, lists in any order; `absent`: the role must not exist yet
   * @returns the role as written
   * @throws ServiceError `precondition-failed` if the role has changed
   */
  setRole(
    by: RequestedChange<Within>,
    name: string,
    change: RoleChange,
    expected?: RoleChange | 'absent',
  ): Promise<RoleKeys>
  removeRole(name: string, change: RequestedChange<Within>): Promise<SaveResult>
}

interface EditedSections {
  readonly auth: { readonly roles: ReadonlyMap<string, RoleSetting> }
}

type EditableConfig = Pick<ConfigStore<EditedSections, Within>, 'editActive'>

export const createRoleEditor = ({ editActive }: EditableConfig): RoleEditor => ({
  setRole: async (by, name, change, expected) => {
    let written: RoleKeys = newRoleKeys
    const edited = (text: string, { auth }: EditedSections) => {
      const before = auth.roles.get(name)
      const keys = before && roleKeysOf(before)
      refuseOtherRole(expected, keys)
      written = { ...(keys ?? newRoleKeys), ...change }
      return withRole(text, name, written)
    }
    await editActive(edited, by)
    return written
  },
  removeRole: (name, change) => editActive((text) => withRole(text, name, undefined), change),
})

function refuseOtherRole(expected: RoleChange | 'absent' | undefined, now: RoleKeys | undefined): void {
  if (expected === undefined) return
  if (expected === 'absent') {
    if (now === undefined) return
    throw new ServiceError<UserReasons>('precondition-failed', { reason: 'role-name-taken' })
  }
  const isSame =
    now !== undefined && roleKeyNames.every((key) => expected[key] === undefined || same(expected, now, key))
  if (isSame) return
  throw new ServiceError<UserReasons>('precondition-failed', {
    reason: 'role-changed',
  })
}

const roleKeyNames = Object.keys(newRoleKeys) as (keyof RoleKeys)[]

const same = (one: RoleChange, other: RoleChange, key: keyof RoleKeys): boolean =>
  comparable(one[key]) === comparable(other[key])

/** Names in any order are the same list. */
const comparable = (value: unknown): string => {
  const isNames = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return JSON.stringify(isNames ? [...new Set(value)].sort() : value)
}
