import { Type, type Static } from 'typebox'
import { cameraNamePattern } from '../shared/camera/camera-name.ts'
import { includesCamera } from '../access/grant.ts'
import type { Roles } from '../access/role.ts'
import { invalidField } from '../shared/errors.ts'
import type { UnblockedUsers, User } from './user.ts'
import type { UserOrder, UserPosition, UserPageQuery } from './accounts/account-store.ts'
import { userKey } from './user-name.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'

const orders = ['username', 'role', 'last_login_at', 'created_at'] as const
const sorts = orders.flatMap((order) => [order, `-${order}`] as const)

/** Max users per page. */
const max = 500

/** The query of the user list. */
export const UsersQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: max, default: max, description: 'Users per page.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'Cursor from the `Link` header of the previous page.' }),
  ),
  search: Type.Optional(Type.String({ maxLength: 256, description: 'Part of the username, case-insensitive.' })),
  role: Type.Optional(Type.String({ maxLength: 256, description: 'Only users with this role.' })),
  camera: Type.Optional(
    Type.String({
      pattern: cameraNamePattern,
      description:
        'Only users who can see this camera now: they can sign in, are not `blocked`, and their role is valid, whatever its hours.',
    }),
  ),
  orphaned: Type.Optional(Type.Boolean({ description: 'Only users whose role does not exist.' })),
  provider: Type.Optional(
    Type.Boolean({ description: 'Only users that sign in with the identity provider; false: only with a password.' }),
  ),
  sort: Type.Optional(
    Type.Enum(sorts, {
      default: 'username',
      description: 'Sort order; descending with `-`. Users who never signed in have the earliest `last_login_at`.',
    }),
  ),
})
type UsersQuery = Static<typeof UsersQuery>

export interface UserListContext {
  readonly roles: Roles
  readonly unblocked: UnblockedUsers
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * @throws ServiceError `invalid-request` if the cursor belongs to another list
 */
export function userPageQuery(
  { limit = max, cursor, search, role, camera, orphaned, provider, sort = 'username' }: UsersQuery,
  { roles, unblocked, now }: UserListContext,
): UserPageQuery {
  const { names } = roles
  const down = sort.startsWith('-')
  const order = orders.find((each) => sort === each || sort === `-${each}`) ?? 'username'
  return {
    limit,
    order,
    down,
    after: cursor === undefined ? undefined : positionFrom(cursor, order),
    search: search?.trim().toLowerCase() || undefined,
    role: role || undefined,
    roles: camera === undefined ? undefined : names.filter((name) => showsCamera(name, camera, { roles, now })),
    activeAt: camera === undefined ? undefined : now,
    unblocked: camera === undefined ? undefined : unblocked,
    provider,
    ...(orphaned !== undefined && { existing: { roles: names, holds: !orphaned } }),
  }
}

/** Whether a role is valid and includes a camera. Outside its hours it still counts as one that shows it. */
function showsCamera(role: string, camera: string, { roles, now }: { roles: Roles; now: number }): boolean {
  const { suspended } = roles.grantOf(role, now)
  return suspended !== 'not-yet' && suspended !== 'over' && includesCamera(roles.coverageOf(role), camera)
}

/** The cursor of the page that starts after a user. */
export const cursorAfter = (last: User, order: UserOrder): string =>
  cursorOf({ value: valueIn[order](last), key: last.key }, order)

const valueIn: Readonly<Record<UserOrder, (user: User) => string | number>> = {
  username: ({ key }) => key,
  role: ({ role }) => role,
  last_login_at: ({ lastLoginAt }) => lastLoginAt ?? 0,
  created_at: ({ createdAt }) => createdAt,
}

const cursorOf = ({ value, key }: UserPosition, order: UserOrder): string =>
  Buffer.from(JSON.stringify([order, value, key])).toString('base64url')

function positionFrom(cursor: string, order: UserOrder): UserPosition {
  const [, value, key] = listIn(Buffer.from(cursor, 'base64url').toString())
  const fits = order === 'last_login_at' || order === 'created_at' ? Number.isSafeInteger(value) : isText(value)
  if (fits && (isText(value) || typeof value === 'number') && isText(key) && userKey(key) === key) {
    const place = { value, key }
    // A valid cursor equals the one this service would create for the same place and order.
    if (cursorOf(place, order) === cursor) return place
  }
  throw invalidField('cursor', fieldProblem('no-cursor'))
}

function listIn(text: string): readonly unknown[] {
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given : []
  } catch {
    return []
  }
}

/** PostgreSQL rejects text with a NUL, and no name contains one. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

/** The `Link` header for the next page, relative to the current URL (RFC 8288). */
export function nextLink(query: UsersQuery, cursor: string): string {
  const given = Object.entries({ ...query, cursor }).map(([name, value]): [string, string] => [name, String(value)])
  return `<?${new URLSearchParams(given).toString()}>; rel="next"`
}
