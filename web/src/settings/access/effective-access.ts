import type { RoleResponse, UserResponse } from '../../../../server/src/api-types.ts'
import { providerHostOf } from '../../users/provider-host.ts'
import { statusOf } from '../../users/user-status.ts'
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
  /** When the user can sign in; undefined if the row is a role itself. */
  readonly status: Status | undefined
  /** Why the role gives nothing now. */
  readonly invalid: 'not-yet' | 'over' | undefined
  readonly cameras: ReadonlySet<string>
}

type Status = Pick<UserResponse, 'disabled' | 'expires_at' | 'blocked'>
type Role = Pick<RoleResponse, 'name' | 'allowed_cameras' | 'valid_from' | 'valid_until'>
type User = Pick<UserResponse, 'username' | 'key' | 'role' | 'provider'> & Status

/** Whether a role is valid, whatever its hours, which are in the service's time zone. @param now Unix milliseconds */
function invalidity({ valid_from: from, valid_until: until }: Role, now: number): AccessRow['invalid'] {
  if (until !== null && Date.parse(until) <= now) return 'over'
  return from !== null && Date.parse(from) > now ? 'not-yet' : undefined
}

const none: ReadonlySet<string> = new Set()

/** @param now Unix milliseconds */
export const rowsOfRoles = (roles: readonly Role[], now: number): AccessRow[] =>
  roles.map((role) => {
    const invalid = invalidity(role, now)
    return {
      key: role.name,
      name: role.name,
      host: undefined,
      role: undefined,
      status: undefined,
      invalid,
      cameras: invalid === undefined ? new Set(role.allowed_cameras) : none,
    }
  })

/** A user who can't sign in or is blocked, or whose role was deleted, sees no camera. @param now Unix milliseconds */
export function rowsOfUsers(users: readonly User[], roles: readonly Role[], now: number): AccessRow[] {
  const given = new Map(rowsOfRoles(roles, now).map((role) => [role.name, role]))
  return users.map((user) => {
    const { disabled, expires_at, blocked } = user
    const role = given.get(user.role)
    const canSignIn = ['enabled', 'expiring'].includes(statusOf(user, now)) && blocked === null
    return {
      key: user.key,
      name: user.username,
      host: providerHostOf(user),
      role: user.role,
      status: { disabled, expires_at, blocked },
      invalid: role?.invalid,
      cameras: (canSignIn && role?.cameras) || none,
    }
  })
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
