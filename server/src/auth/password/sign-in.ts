import type { SessionToken } from '../../http/authentication.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import { wholeSeconds, type Clock } from '../../shared/time/clock.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { Log } from '../../shared/log.ts'
import { isActive, type User } from '../../users/user.ts'
import type { AccountStore, ReplacedSession } from '../../users/accounts/account-store.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { sessionExpiry } from '../session/session-expiry.ts'
import { checkLimited, type LoginLimit } from './login-limit.ts'
import type { Passwords } from '../../users/password/passwords.ts'
import type { KnownAddresses } from '../session/known-addresses.ts'
import type { IssueToken } from '../session/token-issuer.ts'
import type { ActiveSession, Sessions } from '../session/sessions.ts'
import { nameKey } from '../../users/user-name.ts'

export interface SignedIn {
  readonly user: User
  readonly live: ActiveSession
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

/** Checks passwords and starts sessions. */
export interface SignIn {
  /**
   * @param more asks for what is needed after the password: throws ServiceError `second-factor-required`
   * @throws ServiceError `login-failed`, the same for every cause; `too-many-attempts`, `busy`, `unavailable`.
   */
  withPassword(
    name: string,
    password: string,
    from: SignInClient,
    more: (user: User) => Promise<SignInProof>,
  ): Promise<SignedIn>
  /** Starts the session of a user who has shown all that is needed. @throws ServiceError `login-failed` */
  complete(user: User, from: SignInClient, shown: SignInProof): Promise<SignedIn>
  /**
   * Whether this is the user's password. A wrong password counts as a failed login (RATE-2).
   *
   * @throws ServiceError `too-many-attempts`, `busy`, `unavailable`
   */
  isPasswordOf(user: User, password: string, address: string): Promise<boolean>
  /**
   * Starts a session without a password check.
   *
   * @param isSignIn whether it counts as the user's last login
   * @returns undefined if the user was deleted or the password has changed
   */
  begin(user: User, from: SignInClient, { isSignIn }: { readonly isSignIn: boolean }): Promise<SignedIn | undefined>
  /** Hashes a new password, in the queue of all password hashes. */
  hash(password: string): Promise<string>
}

/** How a session starts. */
interface Start extends Pick<SignInProof, 'isConfirmed'> {
  readonly isSignIn: boolean
  /** null: another entry covers it. */
  readonly entry: AuditEntry | null
}

export interface SignInDeps {
  readonly store: Pick<AccountStore, 'userByKey' | 'replaceHash'>
  readonly sessions: Sessions
  readonly issueToken: IssueToken
  readonly limit: LoginLimit
  readonly passwords: Passwords
  readonly knownAddresses: Pick<KnownAddresses, 'has'>
  readonly settings: () => Pick<AuthConfig, 'session_length' | 'session_max_length'>
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: User) => boolean
  readonly clock: Clock
  readonly log: Log
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { store, sessions, issueToken, limit, passwords, knownAddresses, settings, isAccepted, clock, log } = deps

  const begin = async (
    user: User,
    { client, userAgent, earlier }: SignInClient,
    { isSignIn, isConfirmed, entry }: Start,
  ): Promise<SignedIn | undefined> => {
    const now = wholeSeconds(clock.now()) * 1000
    const expiresAt = sessionExpiry(now, now, settings())
    const confirmedAt = isConfirmed ? clock.now() : null
    const { address } = client
    const replaced = await earlier?.()
    const live = await sessions.begin(user, { expiresAt, confirmedAt, isSignIn, address, userAgent, replaced }, entry)
    return live && { user, live, token: issueToken(user, live) }
  }

  /** The user, and whether the hash needs more iterations; undefined if the name or the password is wrong. */
  const findByPassword = async (name: string, password: string, address: string) => {
    const key = nameKey(name)
    let user: User | undefined
    const find = async () => {
      user = key === undefined ? undefined : await store.userByKey(key)
      return user?.provider ? undefined : user?.passwordHash
    }
    return checkLimited(limit, address, async () => {
      const origin = knownAddresses.has(address) ? 'trusted' : 'unknown'
      const result = await passwords.check(password, find, origin)
      return result === 'wrong' || !user ? undefined : { user, isWeak: result === 'weak' }
    })
  }

  /** USER-3: replaces a hash that has too few iterations, in the background, while the password is known. */
  const rehash = async ({ id, passwordHash }: User, password: string) => {
    try {
      await store.replaceHash(id, passwordHash, await passwords.hash(password))
    } catch (cause) {
      log.debug({ err: cause }, 'failed to upgrade password hash')
    }
  }

  const canBegin = (user: User) => isActive(user, clock.now()) && isAccepted(user)

  const complete = async (user: User, from: SignInClient, shown: SignInProof): Promise<SignedIn> => {
    if (!canBegin(user)) throw loginFailed()
    const { isConfirmed } = shown
    const signedIn = await begin(user, from, { isSignIn: true, isConfirmed, entry: loginOf(user, from, shown) })
    if (!signedIn) throw loginFailed()
    return signedIn
  }

  return {
    complete,
    begin: (user, from, { isSignIn }) => begin(user, from, { isSignIn, isConfirmed: true, entry: null }),
    hash: passwords.hash,
    async isPasswordOf({ passwordHash }, password, address) {
      const right = await checkLimited(limit, address, async () => {
        const result = await passwords.check(password, () => Promise.resolve(passwordHash), 'trusted')
        return result === 'wrong' ? undefined : result
      })
      return right !== undefined
    },
    async withPassword(name, password, from, more) {
      const found = await findByPassword(name, password, from.client.address)
      // Only after the password: a response that comes sooner would show that the user exists.
      if (!found || !canBegin(found.user)) throw loginFailed()
      const { user, isWeak } = found
      // Now, because a second factor comes with another request, without the password.
      if (isWeak) void rehash(user, password)
      return complete(user, from, await more(user))
    },
  }
}

/** The same error for every cause. */
const loginFailed = () => new ServiceError('login-failed', { message: 'Login failed' })

const loginOf = ({ name }: User, { client: { address } }: SignInClient, { detail }: SignInProof): AuditEntry => ({
  action: 'login',
  result: 'success',
  user: name,
  auth_method: 'password',
  address,
  target: null,
  ...(detail !== undefined && { detail }),
})
