import type { RoleView, UserResponse } from '../../../../server/src/api-types.ts'
import { providerHostOf } from '../../users/provider-host.ts'
import type { Texts } from '../../i18n/texts.ts'
import { accessSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'
import type { FilterForm } from '../useFilter.ts'

/** The effective access of a user or a role: one row of the table. */
export interface AccessRow {
  /** Of all rows, this one's only: two users can have the same name. */
  readonly key: string
  readonly name: string
  /** The host of the identity provider that the user signs in with. */
  readonly host: string | undefined
  /** undefined if the row is a role itself. */
  readonly role: string | undefined
  readonly cameras: ReadonlySet<string>
}

type Role = Pick<RoleView, 'name' | 'allowed_cameras'>
type User = Pick<UserResponse, 'username' | 'key' | 'role' | 'provider'>

export const rowsOfRoles = (roles: readonly Role[]): AccessRow[] =>
  roles.map((role) => ({
    key: role.name,
    name: role.name,
    host: undefined,
    role: undefined,
    cameras: new Set(role.allowed_cameras),
  }))

/** A user with a deleted role sees no camera. */
export function rowsOfUsers(users: readonly User[], roles: readonly Role[]): AccessRow[] {
  const cameras = new Map(roles.map((role) => [role.name, new Set(role.allowed_cameras)]))
  return users.map((user) => ({
    key: user.key,
    name: user.username,
    host: providerHostOf(user),
    role: user.role,
    cameras: cameras.get(user.role) ?? new Set(),
  }))
}

/** A name as it is shown: of a provider's user with the provider, since a local user can have the same. */
export const nameOf = (
  { name, host }: Pick<AccessRow, 'name' | 'host'>,
  { fromProvider }: Pick<Texts<'access'>['access'], 'fromProvider'>,
): string => (host === undefined ? name : fromProvider({ name, host }))

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
