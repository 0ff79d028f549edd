import type { SessionToken } from '../../http/authentication.ts'
import type { Caller } from '../../http/caller.ts'
import type { Audit, AuditEntry } from '../../shared/audit/audit.ts'
import { auditLimited } from '../../shared/audit/limited-attempt.ts'
import { codeOf, ServiceError } from '../../shared/errors.ts'
import { userAgentOf, type Client } from '../../shared/http/request-meta.ts'
import { wholeSeconds, type Clock } from '../../shared/time/clock.ts'
import type { AccountStore, ReplacedSession } from '../../users/accounts/account-store.ts'
import type { Session } from '../../users/accounts/session.ts'
import { nameKey } from '../../users/user-name.ts'
import { isActive, methodOf, type User } from '../../users/user.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { requireOwnSignIn } from './own-sign-in.ts'
import { sessionExpiry } from './session-expiry.ts'
import type { SessionTokens } from './session-token.ts'
import type { ActiveSession, Beginning, Sessions } from './sessions.ts'
import type { IssueToken } from './token-issuer.ts'

export interface SignedIn {
  readonly user: User
  readonly active: ActiveSession
  readonly token: SessionToken
}

/** The client that signs in, with the session that its request came with. */
export interface SignInClient {
  readonly client: Client
  readonly userAgent: string
  /** The session that the client had, which ends with a successful sign-in (TOK-12). */
  readonly earlier?: () => Promise<ReplacedSession>
}

/** How a user showed who they are, beyond the name and the password. */
export interface SignInProof {
  /** For the audit log: the second factor, or what replaced it. */
  readonly detail?: string
  /** Whether the sign-in counts as a confirmation (MFA-4). */
  readonly isConfirmed: boolean
}

/** A failed login, for the audit log. */
export interface Failure {
  /** A name as it was typed; undefined: unknown. */
  readonly name?: string | undefined
  /** What was wrong; default: the name or the password. */
  readonly detail?: string
}

/** How a session starts. */
export interface Start {
  /** Whether it counts as the user's last login. */
  readonly isSignIn: boolean
  /** Whether it counts as a confirmation (MFA-4). Default: true. */
  readonly isConfirmed?: boolean
  /** Default: another entry covers it. */
  readonly entry?: AuditEntry
  readonly atProvider?: Pick<Beginning, 'provider' | 'lastLogout'>
}

/** What every way to sign in has in common: it starts a session, ends the earlier one, and is audited. */
export interface SignIn {
  /**
   * For the routes of every sign-in, to declare.
   *
   * @throws ServiceError `not-found` if another program signs users in, `invalid-request`
   */
  requireOffered(caller: Caller): void
  /**
   * Signs in at this service and records a failure. The session that the request came with ends in the transaction that
   * begins the new one, so that a sign-in never fails after its session was stored.
   *
   * @param failure what is recorded if the sign-in fails
   * @throws ServiceError `not-found` if another program signs users in
   */
  run(caller: Caller, failure: Failure, signIn: (from: SignInClient) => Promise<SignedIn>): Promise<SignedIn>
  /** Starts the session of a user who has shown all that is needed. @throws ServiceError `login-failed` */
  complete(user: User, from: SignInClient, shown: SignInProof): Promise<SignedIn>
  /**
   * Starts a session without asking for anything.
   *
   * @returns undefined if the user was deleted, or the password or a second factor has changed
   */
  begin(user: User, from: SignInClient, start: Start): Promise<SignedIn | undefined>
  /** The client of a sign-in, with the session that its request came with. */
  clientOf(caller: Caller): Promise<SignInClient>
  endSession(session: Pick<Session, 'id' | 'userId'>, client: Client): Promise<void>
}

export interface SignInDeps {
  readonly store: Pick<AccountStore, 'userById' | 'userByKey'>
  readonly sessions: Pick<Sessions, 'begin' | 'end'>
  readonly tokens: Pick<SessionTokens, 'validSession'>
  readonly issueToken: IssueToken
  readonly settings: () => Pick<AuthConfig, 'enabled' | 'cookie_same_site' | 'session_length' | 'session_max_length'>
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: User) => boolean
  readonly audit: Audit
  readonly clock: Pick<Clock, 'now'>
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { store, sessions, tokens, issueToken, settings, isAccepted, audit, clock } = deps

  /** The end of a session, with its audit entry. */
  const ending = async (
    { id, userId }: Pick<Session, 'id' | 'userId'>,
    { address }: Client,
  ): Promise<ReplacedSession> => {
    const user = await store.userById(userId)
    const by = { user: user?.name ?? null, auth_method: user ? methodOf(user) : null, address }
    return { id, entry: { action: 'logout', result: 'success', ...by, target: id } }
  }

  const clientOf = async ({ client, meta }: Caller): Promise<SignInClient> => {
    const before = await tokens.validSession(meta)
    const earlier = before && (() => ending(before.session, client))
    return { client, userAgent: userAgentOf(meta), ...(earlier && { earlier }) }
  }

  const begin: SignIn['begin'] = async (user, from, { isSignIn, isConfirmed = true, entry = null, atProvider }) => {
    const { client, userAgent, earlier } = from
    const now = wholeSeconds(clock.now()) * 1000
    const beginning: Beginning = {
      expiresAt: sessionExpiry(now, now, settings()),
      confirmedAt: isConfirmed ? clock.now() : null,
      isSignIn,
      address: client.address,
      userAgent,
      ...atProvider,
      replaced: await earlier?.(),
    }
    const active = await sessions.begin(user, beginning, entry)
    return active && { user, active, token: issueToken(user, active) }
  }

  const requireOffered = (caller: Caller) => requireOwnSignIn(settings(), caller)

  return {
    requireOffered,
    async run(caller, failure, signIn) {
      requireOffered(caller)
      const { client } = caller
      const from = await clientOf(caller)
      try {
        return await auditLimited(audit, attemptFrom(client), () => signIn(from))
      } catch (error) {
        if (codeOf(error) === 'login-failed') audit.record(await failedLogin(failure, client, store))
        throw error
      }
    },
    async complete(user, from, { isConfirmed, detail }) {
      if (!isActive(user, clock.now()) || !isAccepted(user)) throw loginFailed()
      const signedIn = await begin(user, from, {
        isSignIn: true,
        isConfirmed,
        entry: {
          ...attemptFrom(from.client),
          result: 'success',
          user: user.name,
          auth_method: 'password',
          ...(detail !== undefined && { detail }),
        },
      })
      if (!signedIn) throw loginFailed()
      return signedIn
    },
    begin,
    clientOf,
    async endSession(session, client) {
      const { id, entry } = await ending(session, client)
      await sessions.end(id, entry)
    },
  }
}

/** The same error for every cause. */
export const loginFailed = () => new ServiceError('login-failed', { message: 'Login failed' })

/** A sign-in for the audit log, without its result. No user: a flood of logins must cause no lookups. */
export const attemptFrom = ({ address }: Client) =>
  ({ action: 'login', user: null, auth_method: null, address, target: null }) as const

/** AUD-4: a user can type a password in place of the username, so only the name of an existing user is recorded. */
async function failedLogin(
  { name, detail }: Failure,
  client: Client,
  store: Pick<AccountStore, 'userByKey'>,
): Promise<AuditEntry> {
  const key = name === undefined ? undefined : nameKey(name)
  const user = key === undefined ? undefined : await store.userByKey(key)
  const problem = detail ?? (user ? undefined : 'no-such-user')
  return {
    ...attemptFrom(client),
    result: 'failure',
    user: user?.name ?? null,
    auth_method: 'password',
    ...(problem !== undefined && { detail: problem }),
  }
}
