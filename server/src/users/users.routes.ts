import { Type } from 'typebox'
import { bounded, type Invalidation } from '../access/invalidation.ts'
import type { Roles } from '../access/role.ts'
import { auditEntry } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import type { Random } from '../shared/random.ts'
import type { Clock } from '../shared/time/clock.ts'
import { momentIn } from '../shared/time/moment.ts'
import type { AccountStore } from './accounts/account-store.ts'
import { localUser } from './local-user.ts'
import { newUser } from './new-user.ts'
import type { PasswordSignIn } from './password/password-sign-in.ts'
import type { UserReasons } from './reasons.ts'
import { requireSameUser, requireUser, userInPath } from './require-user.ts'
import { requireRole, roleReplaced } from './roles/existing-role.ts'
import { cursorAfter, nextLink, UsersQuery, userPageQuery } from './user-list.ts'
import { userNameProblem } from './user-name.ts'
import { noSuchUser, requireAllowedPassword } from './user-problems.ts'
import { NewRole, NewStatus, NewUser, UserPath } from './user-schema.ts'
import { originOf, type UnblockedUsers, type User, type UserBlock, type UserStatus } from './user.ts'
import { userResponse, UserResponse } from './user-response.ts'

export interface UsersRoutesDeps {
  readonly store: AccountStore
  readonly passwords: Pick<PasswordSignIn, 'hash'>
  readonly roles: () => Roles
  readonly blockOf: (user: User) => UserBlock | null
  readonly unblockedUsers: () => UnblockedUsers
  readonly cameraExists: (name: string) => boolean
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/** Routes to manage users (USER-5). */
export function usersRoutes(deps: UsersRoutesDeps): Route[] {
  const { store, passwords, roles, blockOf, unblockedUsers, cameraExists, publish, clock, random } = deps
  const responseOf = (user: User) => userResponse(user, blockOf(user))

  return [
    route({
      method: 'GET',
      path: '/api/users',
      access: { service: 'users.manage', about: 'no-camera' },
      schema: {
        summary:
          'List users, one page at a time. `Link`: the next page. `X-Total-Count`: matching users, on the first page.',
        querystring: UsersQuery,
        response: { 200: Type.Array(UserResponse) },
      },
      async handle({ query }) {
        if (query.camera !== undefined && !cameraExists(query.camera)) {
          throw new ServiceError('not-found', { reason: 'no-such-camera' })
        }
        const requested = userPageQuery(query, { roles: roles(), unblocked: unblockedUsers(), now: clock.now() })
        const found = await store.users({ ...requested, limit: requested.limit + 1 })
        const page = found.slice(0, requested.limit)
        const last = found.length > page.length ? page.at(-1) : undefined
        return respond({
          body: page.map(responseOf),
          headers: {
            ...(last && { link: nextLink(query, cursorAfter(last, requested.order)) }),
            ...(!requested.after && { 'x-total-count': String(await store.countUsers(requested)) }),
          },
        })
      },
    }),
    route({
      method: 'GET',
      path: '/api/users/:username',
      access: { service: 'users.manage', about: 'no-camera' },
      schema: { summary: 'Get a user.', params: UserPath, response: { 200: UserResponse } },
      handle: async ({ params }) => responseOf(await requireUser(params.username, store)),
    }),
    route({
      method: 'POST',
      path: '/api/users',
      access: { service: 'users.manage', about: 'no-camera' },
      confirm: true,
      schema: { summary: 'Create a user.', body: NewUser, response: { 201: UserResponse } },
      async handle({ body: { username, password, role, must_change_password } }, caller) {
        const problem = userNameProblem(username)
        if (problem !== undefined) throw invalidField('username', problem)
        const { generation } = await requireRole(role, deps)
        await requireAllowedPassword(password, username)
        const hash = await passwords.hash(password)
        // During hashing, the caller can have lost access, and the role can have been deleted.
        await caller.authorizeAgain()
        await requireRole(role, deps)
        const user = newUser({ name: username, role, hash, origin: originOf(must_change_password) }, { clock, random })
        const entry = auditEntry(caller, 'user.create', user.name, role)
        const result = await store.addUser(user, entry, generation)
        if (result === 'role-replaced') throw roleReplaced()
        if (result === 'taken') throw new ServiceError<UserReasons>('conflict', { reason: 'name-taken' })
        publish({ kind: 'user', key: user.key })
        return respond({ status: 201, body: responseOf(user) })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/users/:username/role',
      access: { service: 'users.manage', about: 'no-camera', user: userInPath(store) },
      confirm: true,
      schema: {
        summary: "Change a user's role.",
        params: UserPath,
        body: NewRole,
        response: { 200: UserResponse },
      },
      async handle({ params, body: { role, expected_role: expected } }, caller) {
        const user = localUser(await requireSameUser(params.username, store, caller))
        const entry = (had: string) => auditEntry(caller, 'user.role', user.name, `${had} → ${role}`)
        const result = await store.setRole(user.id, await requireRole(role, deps), entry, expected)
        if (result === 'role-replaced') throw roleReplaced()
        if (result === 'absent') throw noSuchUser()
        if (result === 'stale') throw roleChanged()
        if (result === 'last-admin') throw lastAdmin()
        publish({ kind: 'user', key: user.key })
        return responseOf({ ...user, role })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/users/:username/status',
      access: { service: 'users.manage', about: 'no-camera', user: userInPath(store) },
      confirm: true,
      schema: {
        summary: 'Disable or enable a user, or set when the user expires. A key that is left out stays as it is.',
        params: UserPath,
        body: NewStatus,
        response: { 200: UserResponse },
      },
      async handle({ params, body }, caller) {
        const user = await requireSameUser(params.username, store, caller)
        const status = statusOf(body)
        const result = await store.setStatus(
          user.id,
          status,
          auditEntry(caller, 'user.status', user.name, JSON.stringify(body)),
        )
        if (result === 'absent') throw noSuchUser()
        if (result === 'last-admin') throw lastAdmin()
        const ended = result.ended.map((id) => ({ kind: 'session', id }) as const)
        for (const invalidation of bounded([{ kind: 'user', key: user.key }, ...ended])) publish(invalidation)
        return responseOf({ ...user, ...status })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/users/:username',
      access: { service: 'users.manage', about: 'no-camera', user: userInPath(store) },
      confirm: true,
      schema: { summary: 'Delete a user and revoke their sessions.', params: UserPath, otherResponses: { 204: null } },
      async handle({ params }, caller) {
        const user = await requireSameUser(params.username, store, caller)
        const result = await store.deleteUser(user.id, auditEntry(caller, 'user.delete', user.name))
        if (result === 'absent') throw noSuchUser()
        if (result === 'last-admin') throw lastAdmin()
        publish({ kind: 'user', key: user.key })
      },
    }),
  ]
}

function statusOf({ disabled, expires_at: text }: NewStatus): UserStatus {
  const expiresAt = text === undefined || text === null ? text : momentIn('expires_at', text)
  return { ...(disabled !== undefined && { disabled }), ...(expiresAt !== undefined && { expiresAt }) }
}

const roleChanged = (): ServiceError =>
  new ServiceError<UserReasons>('precondition-failed', {
    reason: 'role-changed',
  })

const lastAdmin = (): ServiceError => new ServiceError<UserReasons>('conflict', { reason: 'last-admin' })
