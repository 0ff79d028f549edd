import { Type } from 'typebox'
import type { Invalidation } from '../../access/invalidation.ts'
import type { Roles } from '../../access/role.ts'
import type { Caller } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { Audit, AuditAction, AuditEntry } from '../../shared/audit/audit.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import type { User } from '../../users/user.ts'
import { newUser } from '../../users/new-user.ts'
import { requireAllowedPassword } from '../../users/user-problems.ts'
import type { UserReasons } from '../../users/reasons.ts'
import { userNameProblem } from '../../users/user-name.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { LoginResponse, loginResponse } from '../password/login.routes.ts'
import type { Passwords } from '../password/passwords.ts'
import { requirePasswords } from '../session/own-sign-in.ts'
import type { SignIn, SignInProof } from '../session/sign-in.ts'
import {
  AcceptedInvitation,
  AcceptedReset,
  LinkSecretBody,
  OpenedOneTimeLink,
  openedResponse,
} from './invitation-schema.ts'
import type { Invitation } from './invitation.ts'
import type { InvitationStore, LinkUse, Refused } from './invitation-store.ts'
import { refusal, type OneTimeLinks } from './one-time-links.ts'

export interface AcceptRoutesDeps {
  readonly store: InvitationStore
  readonly links: OneTimeLinks
  readonly users: Pick<AccountStore, 'userByKey' | 'roleGeneration'>
  readonly signIn: Pick<SignIn, 'requireOffered' | 'run' | 'begin'>
  readonly passwords: Pick<Passwords, 'hash'>
  /** Asks a user who has a second factor for it: throws ServiceError `second-factor-required`. */
  readonly secondFactor: (user: User, caller: Caller) => Promise<SignInProof>
  readonly settings: () => Pick<AuthConfig, 'oidc'>
  readonly roles: () => Roles
  readonly isAccepted: LinkUse['isAccepted']
  readonly publish: (invalidation: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
}

const open = { open: 'the secret of the link is checked' } as const
/** Any text, unlike `IdPath`: the page reports a malformed id, as in a URL that was cut off, as a wrong link, not as an invalid request. */
const ById = Type.Object({ id: Type.String() })

/** Routes for the person who has an invitation or a password reset. */
export function acceptRoutes(deps: AcceptRoutesDeps): Route[] {
  const { links } = deps
  const requireOffered = (caller: Caller) => {
    deps.signIn.requireOffered(caller)
    requirePasswords(deps.settings())
  }
  const useOf = (id: string, secret: string): LinkUse => ({
    id,
    secret,
    roles: deps.roles(),
    isAccepted: deps.isAccepted,
    now: deps.clock.now(),
  })

  return [
    ...(['invitation', 'reset'] as const).map((kind) =>
      route({
        method: 'POST',
        path: `${paths[kind]}/:id/open`,
        access: open,
        requireOffered,
        schema: {
          summary: `Check ${names[kind]} before it is used. 401: wrong; 410: used, expired or ended.`,
          params: ById,
          body: LinkSecretBody,
          response: { 200: OpenedOneTimeLink },
        },
        async handle({ params: { id }, body: { secret } }, caller) {
          return openedResponse(await links.check(kind, useOf(id, secret), caller.client.address))
        },
      }),
    ),
    route({
      method: 'POST',
      path: `${paths.invitation}/:id/accept`,
      access: open,
      requireOffered,
      schema: {
        summary: 'Accept an invitation and sign in.',
        params: ById,
        body: AcceptedInvitation,
        response: { 200: LoginResponse },
      },
      async handle({ params: { id }, body: { secret, username, password } }, caller) {
        const invitation = await links.check('invitation', useOf(id, secret), caller.client.address)
        const name = nameFor(invitation, username)
        await requireAllowedPassword(password, name)
        const hash = await deps.passwords.hash(password)
        const result = await deps.store.acceptInvitation(
          useOf(id, secret),
          ({ role }) => newUser({ name, role, hash, origin: 'own' }, deps),
          ({ role, createdBy }) => entryOf('invitation.accept', name, caller, `${role}, invited by ${createdBy}`),
        )
        if (result === 'taken') throw new ServiceError<UserReasons>('conflict', { reason: 'name-taken' })
        return signedIn(result, caller, deps)
      },
    }),
    route({
      method: 'POST',
      path: `${paths.reset}/:id/accept`,
      access: open,
      requireOffered,
      schema: {
        summary:
          "Set a new password by a link from an admin, and sign in; 401 asks for a second factor. Revokes the user's sessions.",
        params: ById,
        body: AcceptedReset,
        response: { 200: LoginResponse },
      },
      async handle({ params: { id }, body: { secret, password } }, caller) {
        const { username } = await links.check('reset', useOf(id, secret), caller.client.address)
        await requireAllowedPassword(password, username)
        const hash = await deps.passwords.hash(password)
        const result = await deps.store.acceptReset(
          useOf(id, secret),
          { hash, at: deps.clock.now(), origin: 'own' },
          ({ createdBy }) => entryOf('password-reset.accept', username, caller, `link by ${createdBy}`),
        )
        return signedIn(result, caller, deps)
      },
    }),
  ]
}

const paths = { invitation: '/api/invitations', reset: '/api/password-resets' } as const
const names = { invitation: 'an invitation', reset: 'a password reset' }

/**
 * Starts the session of a user who has just set a password: the one place where both links sign in. The link proves who
 * the user is as a password does, and no more: a second factor is asked for here. As at a login, the session that the
 * request came with ends (TOK-12).
 */
async function signedIn(
  result: { readonly user: User } | Refused,
  caller: Caller,
  { signIn, secondFactor, publish }: AcceptRoutesDeps,
) {
  if (typeof result === 'string') throw refusal(result)
  const { user } = result
  publish({ kind: 'user', key: user.key })
  const session = await signIn.run(caller, { name: user.name }, async (from) => {
    // The new password has ended the remembered devices, so only a user without a second factor gets past this.
    await secondFactor(user, caller)
    const begun = await signIn.begin(user, from, { isSignIn: true })
    if (!begun) throw refusal('ended')
    return begun
  })
  return respond({ status: 200, body: loginResponse(session), session: session.token })
}

/** @throws ServiceError `invalid-request` for a missing or unusable name, or another than the invitation's */
function nameFor({ username: preset }: Invitation, chosen: string | undefined): string {
  const name = chosen ?? preset
  if (name === null) throw invalidField('username', fieldProblem('missing'))
  if (preset !== null && name !== preset) throw invalidField('username', fieldProblem('invalid'))
  const problem = userNameProblem(name)
  if (problem) throw invalidField('username', problem)
  return name
}

const entryOf = (action: AuditAction, user: string, { client: { address } }: Caller, detail: string): AuditEntry => ({
  action,
  result: 'success',
  user,
  auth_method: 'link',
  address,
  target: user,
  detail,
})
