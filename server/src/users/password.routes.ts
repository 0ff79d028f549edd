import type { Invalidation } from '../access/invalidation.ts'
import { auditEntry, type Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit/audit.ts'
import { auditLimited } from '../shared/audit/limited-attempt.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { userAgentOf } from '../shared/http/request-meta.ts'
import { fieldProblem, type CodedMessage } from '../shared/messages/coded-message.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { AccountStore } from './accounts/account-store.ts'
import { localUser } from './local-user.ts'
import type { UserReasons } from './reasons.ts'
import { requireSameUser, userInPath } from './require-user.ts'
import { noSuchUser, requireAllowedPassword, type UserProblems } from './user-problems.ts'
import { NewPassword, UserPath } from './user-schema.ts'
import { originOf, type PasswordOrigin, type User, type UserBlock } from './user.ts'
import { UserResponse, userResponse } from './user-response.ts'
import type { PasswordSignIn } from './password/password-sign-in.ts'

export interface PasswordRoutesDeps {
  readonly store: AccountStore
  readonly signIn: PasswordSignIn
  readonly blockOf: (user: User) => UserBlock | null
  readonly publish: (invalidation: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
}

/** The route for users to change their own password, and for admins to set another user's. */
export function passwordRoutes({ store, signIn, blockOf, publish, audit, clock }: PasswordRoutesDeps): Route[] {
  /** Checks the old password when users change their own. Counts as a login attempt. */
  const checkOld = async (user: User, { old_password: old, password }: PasswordBody, caller: Caller): Promise<void> => {
    if (old === undefined) throw invalidField('old_password', fieldProblem('missing'))
    await requireAllowedPassword(password, user.name)
    const problem = old === password ? sameAgain[user.passwordOrigin] : undefined
    if (problem) throw invalidField('password', problem)
    const attempted = auditEntry(caller, 'user.password', user.name)
    const check = () => signIn.isPasswordOf(user, old, caller.client.address)
    if (await auditLimited(audit, attempted, check)) return
    audit.record({ ...attempted, result: 'failure', detail: 'wrong-password' })
    throw new ServiceError('wrong-password')
  }

  const setPassword = async (
    user: User,
    { password, must_change_password }: PasswordBody,
    caller: Caller,
    expected: number | undefined,
  ): Promise<void> => {
    const hash = await signIn.hash(password)
    // The caller can have lost access in the meantime.
    await caller.authorizeAgain()
    const entry = auditEntry(caller, 'user.password', user.name)
    const result = await store.setPassword(
      user.id,
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

  return [
    route({
      method: 'PUT',
      path: '/api/users/:username/password',
      access: { own: userInPath(store), or: 'users.manage' },
      confirm: true,
      schema: {
        summary: "Set a password and revoke the user's sessions. The caller's own session continues with a new token.",
        params: UserPath,
        body: NewPassword,
        response: { 200: UserResponse },
      },
      async handle({ params, body }, caller) {
        const user = localUser(await requireSameUser(params.username, store, caller))
        const { isOwn: own, client, meta } = caller
        if (own) await checkOld(user, body, caller)
        else await requireAllowedPassword(body.password, user.name)
        if (own && body.must_change_password !== undefined)
          throw invalidField('must_change_password', fieldProblem('not-for-own'))
        await setPassword(user, body, caller, own ? user.credentialVersion : undefined)
        if (!own) return userResponse(user, blockOf(user))
        // The version just created. If it has changed again, someone else has set a new password and `begin` fails.
        const mine = { ...user, credentialVersion: user.credentialVersion + 1 }
        const again = await signIn.begin(mine, { client, userAgent: userAgentOf(meta) }, { isSignIn: false })
        return respond({ status: 200, body: userResponse(user, blockOf(user)), session: again?.token ?? 'clear' })
      },
    }),
  ]
}

interface PasswordBody {
  readonly password: string
  readonly must_change_password?: boolean | undefined
  readonly old_password?: string | undefined
}

/** A user must replace a password that others know, not keep it. */
const sameAgain: Readonly<Record<PasswordOrigin, CodedMessage<UserProblems> | undefined>> = {
  own: undefined,
  printed: fieldProblem('printed-password'),
  given: fieldProblem('given-password'),
}
