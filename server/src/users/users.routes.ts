import { Type, type Static } from 'typebox'
import type { Owner } from '../access/identity.ts'
import { bounded, type Invalidation } from '../access/invalidation.ts'
import type { Roles } from '../access/role.ts'
import { answer, route, who, type Caller, type Route } from '../http/route.ts'
import type { SessionToken } from '../http/authentication.ts'
import type { Audit, AuditAction, AuditEntry } from '../shared/audit/audit.ts'
import type { Clock } from '../shared/time/clock.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { momentIn } from '../shared/time/moment.ts'
import { userAgentOf, type Client } from '../shared/http/request-meta.ts'
import type { Random } from '../shared/random.ts'
import { type CodedMessage, fieldProblem } from '../shared/messages/coded-message.ts'
import { databaseOwner, type AccountStore, type PasswordOrigin, type User, type UserStatus } from './account-store.ts'
import { localUser } from './local-user.ts'
import { newUser } from './new-user.ts'
import { passwordProblem, type PasswordProblems } from './password/password-rules.ts'
import { userKey, userNameProblem, type UserNameProblems } from './user-name.ts'
import { cursorAfter, nextLink, UsersQuery, userPageQuery } from './user-list.ts'
import { Timestamp, userView, UserResponse } from './views.ts'
import type { UserReasons } from './reasons.ts'

const closed = { additionalProperties: false }
const MustChange = Type.Optional(
  Type.Boolean({
    description: 'The UI asks the user for a password of their own at the next sign-in. Default: false.',
  }),
)
const NewUser = Type.Object(
  { username: Type.String(), password: Type.String(), role: Type.String(), must_change_password: MustChange },
  closed,
)
export type NewUser = Static<typeof NewUser>

const NewRole = Type.Object(
  {
    role: Type.String(),
    expected_role: Type.Optional(Type.String({ description: 'Expected current role. 412 if it differs.' })),
  },
  closed,
)
export type NewRole = Static<typeof NewRole>

const NewPassword = Type.Object(
  { password: Type.String(), old_password: Type.Optional(Type.String()), must_change_password: MustChange },
  closed,
)
export type NewPassword = Static<typeof NewPassword>

const NewStatus = Type.Object(
  {
    disabled: Type.Optional(
      Type.Boolean({ description: 'Whether the user cannot sign in. `true` also revokes the sessions.' }),
    ),
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], { description: 'From when the user cannot sign in; null: no limit.' }),
    ),
  },
  { ...closed, minProperties: 1 },
)
export type NewStatus = Static<typeof NewStatus>

const UserPath = Type.Object({ username: Type.String() })

/** Hashing passwords and starting sessions; `auth/` implements it. */
export interface PasswordSignIn {
  hash(password: string): Promise<string>
  /** @throws ServiceError `too-many-attempts`, `busy` */
  isPasswordOf(user: User, password: string, address: string): Promise<boolean>
  /** @returns undefined if the user or the password has changed since. */
  begin(
    user: User,
    from: { readonly client: Client; readonly userAgent: string },
  ): Promise<{ readonly token: SessionToken } | undefined>
}

export interface UsersRoutesDeps {
  readonly store: AccountStore
  readonly signIn: PasswordSignIn
  readonly roles: () => Roles
  readonly cameraExists: (name: string) => boolean
  readonly publish: (fact: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
}

/** Routes to manage users (USER-5) and to change the caller's own password. */
export function usersRoutes(deps: UsersRoutesDeps): Route[] {
  const { store, signIn, roles, cameraExists, publish, audit, clock, random } = deps
  const found = async (name: string): Promise<User> => {
    const key = userKey(name)
    const user = key === undefined ? undefined : await store.userByKey(key)
    if (!user) throw noSuchUser()
    return user
  }

  const existing = (role: string): string => {
    if (roles().exists(role)) return role
    throw invalidField('role', noSuchRole(roles().names))
  }

  /** Checks the old password when a user changes the own password. Counts as a login attempt. */
  const checkOld = async (user: User, { old_password: old, password }: PasswordBody, caller: Caller): Promise<void> => {
    if (old === undefined) throw invalidField('old_password', fieldProblem('missing'))
    await allowed(password, user.name)
    const problem = old === password ? sameAgain[user.passwordOrigin] : undefined
    if (problem) throw invalidField('password', problem)
    if (await signIn.isPasswordOf(user, old, caller.client.address)) return
    audit.record({ ...entryOf(caller, 'user.password', user.name, 'wrong-password'), result: 'failure' })
    throw new ServiceError('wrong-password')
  }

  const setPassword = async (
    user: User,
    { password, must_change_password }: PasswordBody,
    caller: Caller,
    expected: number | undefined,
  ): Promise<void> => {
    const hash = await signIn.hash(password)
    const entry = entryOf(caller, 'user.password', user.name)
    const result = await store.setPassword(
      user.key,
      { hash, at: clock.now(), origin: originOf(must_change_password) },
      entry,
      expected,
    )
    if (result === 'absent') throw noSuchUser()
    if (result === 'stale') {
      throw new ServiceError<UserReasons>('conflict', {
        reason: 'password-changed',
      })
    }
    publish({ kind: 'user', key: user.key })
  }

  const ownerOf = async (name: string): Promise<Owner | undefined> => {
    const key = userKey(name)
    const user = key === undefined ? undefined : await store.userByKey(key)
    return user && databaseOwner(user)
  }

  return [
    route({
      method: 'GET',
      path: '/api/users',
      access: { service: 'users.manage' },
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
        const requested = userPageQuery(query, roles())
        const found = await store.users({ ...requested, limit: requested.limit + 1 })
        const page = found.slice(0, requested.limit)
        const last = found.length > page.length ? page.at(-1) : undefined
        return answer({
          body: page.map(userView),
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
      access: { service: 'users.manage' },
      schema: { summary: 'Get a user.', params: UserPath, response: { 200: UserResponse } },
      handle: async ({ params }) => userView(await found(params.username)),
    }),
    route({
      method: 'POST',
      path: '/api/users',
      access: { service: 'users.manage' },
      confirm: true,
      schema: { summary: 'Create a user.', body: NewUser, response: { 201: UserResponse } },
      async handle({ body: { username, password, role, must_change_password } }, caller) {
        const problem = userNameProblem(username)
        if (problem !== undefined) throw invalidField('username', problem)
        existing(role)
        await allowed(password, username)
        const hash = await signIn.hash(password)
        // The role can have been deleted during hashing.
        existing(role)
        const user = newUser({ name: username, role, hash, origin: originOf(must_change_password) }, { clock, random })
        if ((await store.addUser(user, entryOf(caller, 'user.create', user.name, role))) === 'taken') {
          throw new ServiceError<UserReasons>('conflict', { reason: 'name-taken' })
        }
        publish({ kind: 'user', key: user.key })
        return answer({ status: 201, body: userView(user) })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/users/:username/role',
      access: { service: 'users.manage' },
      confirm: true,
      schema: {
        summary: "Change a user's role.",
        params: UserPath,
        body: NewRole,
        response: { 200: UserResponse },
      },
      async handle({ params, body: { role, expected_role: expected } }, caller) {
        const user = localUser(await found(params.username))
        const entry = (had: string) => entryOf(caller, 'user.role', user.name, `${had} → ${role}`)
        const result = await store.setRole(user.key, existing(role), entry, expected)
        if (result === 'absent') throw noSuchUser()
        if (result === 'stale') throw roleChanged()
        if (result === 'last-admin') throw lastAdmin()
        publish({ kind: 'user', key: user.key })
        return userView({ ...user, role })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/users/:username/status',
      access: { service: 'users.manage' },
      confirm: true,
      schema: {
        summary: 'Disable or enable a user, or set when the user expires. A key that is left out stays as it is.',
        params: UserPath,
        body: NewStatus,
        response: { 200: UserResponse },
      },
      async handle({ params, body }, caller) {
        const user = await found(params.username)
        const status = statusOf(body)
        const result = await store.setStatus(
          user.key,
          status,
          entryOf(caller, 'user.status', user.name, JSON.stringify(body)),
        )
        if (result === 'absent') throw noSuchUser()
        if (result === 'last-admin') throw lastAdmin()
        const ended = result.ended.map((id) => ({ kind: 'session', id }) as const)
        for (const fact of bounded([{ kind: 'user', key: user.key }, ...ended])) publish(fact)
        return userView({ ...user, ...status })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/users/:username/password',
      access: { own: { of: 'path', name: 'username', find: ownerOf }, or: 'users.manage' },
      confirm: true,
      schema: {
        summary: "Set a password and revoke the user's sessions. The caller's own session continues with a new token.",
        params: UserPath,
        body: NewPassword,
        response: { 200: UserResponse },
      },
      async handle({ params, body }, caller) {
        const user = localUser(await found(params.username))
        const { isOwn: own, client, meta } = caller
        if (own) await checkOld(user, body, caller)
        else await allowed(body.password, user.name)
        if (own && body.must_change_password !== undefined)
          throw invalidField('must_change_password', fieldProblem('not-for-own'))
        await setPassword(user, body, caller, own ? user.credentialVersion : undefined)
        if (!own) return userView(user)
        // The version just created. If it has changed again, someone else has set a new password and `begin` fails.
        const mine = { ...user, credentialVersion: user.credentialVersion + 1 }
        const again = await signIn.begin(mine, { client, userAgent: userAgentOf(meta) })
        return answer({ status: 200, body: userView(user), session: again?.token ?? 'clear' })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/users/:username',
      access: { service: 'users.manage' },
      confirm: true,
      schema: { summary: 'Delete a user and revoke the sessions.', params: UserPath, otherResponses: { 204: null } },
      async handle({ params }, caller) {
        const user = await found(params.username)
        const result = await store.deleteUser(user.key, entryOf(caller, 'user.delete', user.name))
        if (result === 'absent') throw noSuchUser()
        if (result === 'last-admin') throw lastAdmin()
        publish({ kind: 'user', key: user.key })
        return answer({ status: 204 })
      },
    }),
  ]
}

const entryOf = (caller: Caller, action: AuditAction, target: string, detail?: string): AuditEntry => ({
  action,
  result: 'success',
  ...who(caller),
  target,
  ...(detail !== undefined && { detail }),
})

function statusOf({ disabled, expires_at: text }: NewStatus): UserStatus {
  const expiresAt = text === undefined || text === null ? text : momentIn('expires_at', text)
  return { ...(disabled !== undefined && { disabled }), ...(expiresAt !== undefined && { expiresAt }) }
}

interface PasswordBody {
  readonly password: string
  readonly must_change_password?: boolean | undefined
  readonly old_password?: string | undefined
}

/** Problems of a new or changed user. */
export interface UserProblems extends UserNameProblems, PasswordProblems {
  missing: null
  'no-such-role': { readonly roles: readonly string[] }
  'printed-password': null
  'given-password': null
  'not-for-own': null
}

const originOf = (mustChange: boolean | undefined): PasswordOrigin => (mustChange === true ? 'given' : 'own')

/** A user must replace a password that others know, not keep it. */
const sameAgain: Readonly<Record<PasswordOrigin, CodedMessage<UserProblems> | undefined>> = {
  own: undefined,
  printed: fieldProblem('printed-password'),
  given: fieldProblem('given-password'),
}

export const noSuchRole = (roles: readonly string[]): CodedMessage<UserProblems> =>
  fieldProblem('no-such-role', { roles }, { roles: roles.join(', ') })

const noSuchUser = (): ServiceError => new ServiceError('not-found', { reason: 'no-such-user' })

const roleChanged = (): ServiceError =>
  new ServiceError<UserReasons>('precondition-failed', {
    reason: 'role-changed',
  })

const lastAdmin = (): ServiceError => new ServiceError<UserReasons>('conflict', { reason: 'last-admin' })

async function allowed(password: string, name: string): Promise<void> {
  const problem = await passwordProblem(password, name)
  if (problem !== undefined) throw invalidField('password', problem)
}
