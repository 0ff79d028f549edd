import type { Caller } from '../../http/caller.ts'
import type { Audit } from '../../shared/audit/audit.ts'
import { codeOf } from '../../shared/errors.ts'
import { userAgentOf, type Client } from '../../shared/http/request-meta.ts'
import { methodOf } from '../../users/user.ts'
import type { AccountStore, ReplacedSession } from '../../users/accounts/account-store.ts'
import type { Session } from '../../users/accounts/session.ts'
import { nameKey } from '../../users/user-name.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { requireOwnSignIn } from '../session/own-sign-in.ts'
import type { SessionTokens } from '../session/session-token.ts'
import type { Sessions } from '../session/sessions.ts'
import type { SignInClient, SignedIn } from './sign-in.ts'

/** What every way to sign in has in common. */
export interface LoginFlow {
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
  run(caller: Caller, failure: Failure, signIn: (client: SignInClient) => Promise<SignedIn>): Promise<SignedIn>
  /** The client of a sign-in, with the session that its request came with. */
  signInClient(caller: Caller): Promise<SignInClient>
  endSession(session: Pick<Session, 'id' | 'userId'>, client: Client): Promise<void>
}

/** A failed login, for the audit log. */
export interface Failure {
  /** A name as it was typed; undefined: unknown. */
  readonly name?: string | undefined
  /** What was wrong; default: the name or the password. */
  readonly detail?: string
}

export interface LoginFlowDeps {
  readonly store: Pick<AccountStore, 'userById' | 'userByKey'>
  readonly sessions: Pick<Sessions, 'end'>
  readonly tokens: Pick<SessionTokens, 'validSession'>
  readonly settings: () => Pick<AuthConfig, 'enabled' | 'cookie_same_site'>
  readonly audit: Audit
}

export function createLoginFlow({ store, sessions, tokens, settings, audit }: LoginFlowDeps): LoginFlow {
  /** AUD-4: a user can type a password in place of the username, so only the name of an existing user is recorded. */
  const recordFailure = async ({ name, detail }: Failure, { address }: Client) => {
    const key = name === undefined ? undefined : nameKey(name)
    const user = key === undefined ? undefined : await store.userByKey(key)
    const what = detail ?? (user ? undefined : 'no-such-user')
    audit.record({
      action: 'login',
      result: 'failure',
      user: user?.name ?? null,
      auth_method: 'password',
      address,
      target: null,
      ...(what !== undefined && { detail: what }),
    })
  }

  const ending = async (
    { id, userId }: Pick<Session, 'id' | 'userId'>,
    { address }: Client,
  ): Promise<ReplacedSession> => {
    const user = await store.userById(userId)
    const by = { user: user?.name ?? null, auth_method: user ? methodOf(user) : null, address }
    return { id, entry: { action: 'logout', result: 'success', ...by, target: id } }
  }

  const endSession = async (session: Pick<Session, 'id' | 'userId'>, client: Client) => {
    const { id, entry } = await ending(session, client)
    await sessions.end(id, entry)
  }

  const signInClient = async ({ client, meta }: Caller): Promise<SignInClient> => {
    const before = await tokens.validSession(meta)
    const earlier = before && (() => ending(before.session, client))
    return { client, userAgent: userAgentOf(meta), ...(earlier && { earlier }) }
  }

  const requireOffered = (caller: Caller) => requireOwnSignIn(settings(), caller)

  return {
    requireOffered,
    endSession,
    signInClient,
    async run(caller, failure, signIn) {
      requireOffered(caller)
      const { client } = caller
      const from = await signInClient(caller)
      try {
        return await signIn(from)
      } catch (error) {
        const code = codeOf(error)
        if (code === 'login-failed') await recordFailure(failure, client)
        else if (code === 'too-many-attempts') {
          // No lookup for a flood of logins: the failures before it are recorded with their user.
          const by = { user: null, auth_method: null, address: client.address }
          audit.record({ action: 'login', result: 'denied', ...by, target: null, detail: code })
        }
        throw error
      }
    },
  }
}
