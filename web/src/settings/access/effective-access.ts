import type { RoleView, UserResponse } from '../../../../server/src/api-types.ts'
import { accessSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'
import type { FilterForm } from '../useFilter.ts'

/** The effective access of a user or a role: one row of the table. */
export interface AccessRow {
  readonly name: string
  /** undefined if the row is a role itself. */
  readonly role: string | undefined
  readonly cameras: ReadonlySet<string>
}

type Role = Pick<RoleView, 'name' | 'allowed_cameras'>
type User = Pick<UserResponse, 'username' | 'role'>

export const rowsOfRoles = (roles: readonly Role[]): AccessRow[] =>
  roles.map((role) => ({ name: role.name, role: undefined, cameras: new Set(role.allowed_cameras) }))

/** A user with a deleted role sees no camera. */
export function rowsOfUsers(users: readonly User[], roles: readonly Role[]): AccessRow[] {
  const cameras = new Map(roles.map((role) => [role.name, new Set(role.allowed_cameras)]))
  return users.map(({ username, role }) => ({ name: username, role, cameras: cameras.get(role) ?? new Set() }))
}

export interface AccessFilter {
  readonly rows: 'users' | 'roles'
  /** Number of list pages shown, one below the other. */
  readonly page: number
  /** Part of a name. */
  readonly text: string
  /** Keeps only rows that can see this camera; empty for any. */
  readonly camera: string
}

export const accessFilterForm: FilterForm<AccessFilter, ReturnType<typeof accessSearch>> = {
  search: accessSearch,
  read: ({ rows, q = '', camera = '', page = 1 }) => ({
    rows: oneOf(['users', 'roles'], rows, 'users'),
    text: q,
    camera,
    page,
  }),
  write: ({ rows, text, camera, page }) => ({ rows: rows === 'users' ? undefined : rows, q: text, camera, page }),
}

/** Filters rows by name and camera. Only for roles: the service filters users. */
export function fitting(
  rows: readonly AccessRow[],
  { text, camera }: Pick<AccessFilter, 'text' | 'camera'>,
): AccessRow[] {
  const requested = text.trim().toLowerCase()
  return rows.filter(
    ({ name, cameras }) => (camera === '' || cameras.has(camera)) && name.toLowerCase().includes(requested),
  )
}
