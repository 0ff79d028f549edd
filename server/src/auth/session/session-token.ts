import type { Confirmed } from '../../access/confirmation.ts'
import type { Identity } from '../../access/identity.ts'
import type { Authenticated, Authentication, SessionToken } from '../../http/authentication.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { isActive, providerLimit, type CachedUser } from '../../users/user.ts'
import { userPrincipal } from '../user-principal.ts'
import type { CachedSession } from '../../users/accounts/session.ts'
import type { ActiveSession, Sessions } from './sessions.ts'
import type { Users } from '../cached-users.ts'
import { mustEnroll } from '../must-enroll.ts'
import { noAuthentication, refusedAuthentication } from '../no-authentication.ts'
import { wholeSeconds, type Clock } from '../../shared/time/clock.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { latestExpiry, sessionEnd, tokenExpiry } from './session-expiry.ts'
import { allTokens, presentedToken, type PresentedToken } from './presented-token.ts'
import { credentialOf, type IssueToken, type TokenSettings } from './token-issuer.ts'
import type { Claims, JwtCodec } from '../token/jwt-codec.ts'

export interface SessionTokens {
  /** Authenticates a request by its token. */
  authenticate(meta: RequestMeta): Authenticated
  /** TOK-4: a new token of the same session; undefined if the caller was not authenticated by a token, or it can't be renewed. */
  refresh(authentication: Authentication): SessionToken | undefined
  /** The session of a request's token, if it is valid now. */
  validSession(meta: RequestMeta): Promise<ActiveSession | undefined>
  /** Ids of the sessions of all tokens in a request that this service signed, including expired ones (TOK-6). */
  sessionIdsFrom(meta: RequestMeta): string[]
}

export interface SessionTokensDeps {
  readonly codec: Pick<JwtCodec, 'verify'>
  /** Renews tokens. */
  readonly issueToken: IssueToken
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'find' | 'findUncached' | 'touch'>
  readonly settings: () => TokenSettings & Pick<AuthConfig, 'mfa'>
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: CachedUser) => boolean
  readonly clock: Clock
}

/** Max seconds that another program's clock can be ahead (TOK-14). */
const clockSkew = 60

/** `request`: the token must be unexpired. `stream`: only its session must be, because a stream can't get a renewed token. */
type Check = 'request' | 'stream'

/** Authenticates tokens against the current state: a token names a session and a user, the database has the rest. */
export function createSessionTokens(deps: SessionTokensDeps): SessionTokens {
  const { codec, issueToken, users, sessions, settings, isAccepted, clock } = deps
  const { endOf, find } = sessionEnds(settings, sessions, clock)

  const authenticationFor = (
    claims: Claims,
    ambient: boolean,
    check: Check,
    user: CachedUser | undefined,
    active: ActiveSession | undefined,
  ): Authentication => {
    const revoked = () => refusedAuthentication('revoked-token', ambient, user)
    const now = clock.now()
    if (!user || !isActive(user, now) || !isAccepted(user)) return revoked()
    const lengths = settings()
    const expiresAt = tokenExpiry(claims, lengths)
    let end = expiresAt
    let begun = claims.since * 1000
    if (claims.sid === undefined) {
      if (!isValidWithoutSession(claims, user, now)) return revoked()
    } else {
      if (!active || !isSessionOf(user, active.session)) return revoked()
      end = Math.max(end, endOf(active))
      begun = active.session.createdAt
    }
    end = Math.min(
      end,
      latestEnd(claims, begun, lengths),
      user.expiresAt ?? Infinity,
      providerLimit(active?.session.provider),
    )
    if (end <= now) return noAuthentication
    // A check of a stream happens without the user.
    if (active && check === 'request') sessions.touch(active)
    const enrolls = mustEnroll(user, lengths.mfa)
    const authentication = new TokenAuthentication(judge, claims, ambient, user, active, end, enrolls)
    if (ambient && check === 'request' && now >= (claims.iat * 1000 + expiresAt) / 2) {
      const renewed = issueToken(user, active, claims)
      // At the session's max length, the new token would expire at the same time.
      const isLater = (wholeSeconds(now) + renewed.maxAge) * 1000 > expiresAt
      if (lengths.session_max_length === null || isLater) authentication.renewed = renewed
    }
    return authentication
  }

  const judge = (claims: Claims, ambient: boolean, check: Check): Authenticated => {
    const now = clock.now()
    if (check === 'request' && tokenExpiry(claims, settings()) <= now) return noAuthentication
    if (claims.nbf !== undefined && claims.nbf * 1000 > now) return noAuthentication
    const user = users.byKey(claims.key)
    const active = claims.sid === undefined ? undefined : find(claims.sid, check, now)
    if (user instanceof Promise || active instanceof Promise) {
      return Promise.all([user, active]).then(([user, active]) =>
        authenticationFor(claims, ambient, check, user, active),
      )
    }
    return authenticationFor(claims, ambient, check, user, active)
  }

  const authenticate = (meta: RequestMeta): Authenticated => {
    const presented = presentedToken(meta, settings().cookie_name)
    if (presented.kind !== 'token') return withoutToken[presented.kind]
    const { ambient } = presented
    const claims = codec.verify(presented.token)
    return claims ? judge(claims, ambient, 'request') : refusedAuthentication('bad-token', ambient)
  }

  return {
    authenticate,
    async validSession(meta) {
      const authentication = await authenticate(meta)
      return authentication instanceof TokenAuthentication ? authentication.active : undefined
    },
    refresh: (authentication) => refreshed(authentication, issueToken, settings(), clock.now()),
    sessionIdsFrom: (meta) => sessionIdsOf(allTokens(meta, settings().cookie_name), codec),
  }
}

function refreshed(
  authentication: Authentication,
  issueToken: IssueToken,
  lengths: TokenSettings,
  now: number,
): SessionToken | undefined {
  if (!(authentication instanceof TokenAuthentication)) return undefined
  const { user, active, claims } = authentication
  const token = issueToken(user, active, claims)
  // Past the max length, only a token of another program is still valid.
  return token.maxAge <= 0 || endsBefore(token, claims, lengths, now) ? undefined : token
}

/** Whether a max length would end the renewed token of another program before its own. */
const endsBefore = ({ maxAge }: SessionToken, claims: Claims, lengths: TokenSettings, now: number): boolean =>
  isOfAnotherProgram(claims) && lengths.session_max_length !== null && wholeSeconds(now) + maxAge < claims.exp

const isOfAnotherProgram = ({ sid, cred }: Claims): boolean => sid === undefined && cred === undefined

/** A token that another program issued has no session whose length could have a limit (TOK-14, TOK-15). */
const latestEnd = (claims: Claims, begun: number, lengths: TokenSettings): number =>
  isOfAnotherProgram(claims) ? Infinity : latestExpiry(begun, lengths)

/** When sessions end, by the current length. */
function sessionEnds(
  settings: () => Pick<TokenSettings, 'session_length'>,
  sessions: Pick<Sessions, 'find' | 'findUncached'>,
  clock: Pick<Clock, 'now'>,
) {
  let { session_length: length } = settings()
  let shortenedAt = -Infinity
  // Each change of the configuration checks all open streams, so that it's noticed immediately. What was before the start
  // doesn't matter: no stream is older, and the request that opened it counts.
  const notice = (current: number) => {
    if (current < length) shortenedAt = clock.now()
    length = current
  }
  const endOf = (active: ActiveSession): number => {
    const lengths = settings()
    notice(lengths.session_length)
    return sessionEnd(active, shortenedAt, lengths)
  }
  const isOver = (active: ActiveSession, now: number): boolean =>
    endOf(active) <= now || providerLimit(active.session.provider) <= now
  return {
    endOf,
    /** Of a stream, a session that seems over is read again: another instance may have renewed it. */
    find(sid: string, check: Check, now: number): ReturnType<Sessions['find']> {
      const active = sessions.find(sid)
      if (check === 'request' || !active || active instanceof Promise || !isOver(active, now)) return active
      return sessions.findUncached(sid)
    },
  }
}

/** Whether the user still has the password, or the provider, that the session began with. */
const isSessionOf = ({ id, credentialVersion, provider }: CachedUser, session: CachedSession): boolean =>
  session.userId === id && session.credentialVersion === credentialVersion && !provider === !session.provider

function sessionIdsOf(tokens: Iterable<string>, codec: Pick<JwtCodec, 'verify'>): string[] {
  const ids = new Set<string>()
  for (const token of tokens) {
    const claims = codec.verify(token)
    if (claims?.sid !== undefined) ids.add(claims.sid)
  }
  return [...ids]
}

/** TOK-12. Only a second cookie can be one of a whole domain, which is cleared with all of the site's. */
const withoutToken: Readonly<Record<Exclude<PresentedToken['kind'], 'token'>, Authentication>> = {
  none: noAuthentication,
  'two-cookies': { ...noAuthentication, clearCookie: 'with-site' },
  'two-authorizations': { ...noAuthentication, clearCookie: 'alone' },
}

/** The authentication of a valid token. A class for speed: each request creates one. */
class TokenAuthentication implements Authentication {
  readonly identity: Identity
  readonly until: number
  readonly ambient: boolean
  readonly confirmed: Confirmed | undefined
  renewed: SessionToken | undefined
  readonly claims: Claims
  readonly user: CachedUser
  readonly active: ActiveSession | undefined
  readonly #judge: (claims: Claims, ambient: boolean, check: Check) => Authenticated

  constructor(
    judge: (claims: Claims, ambient: boolean, check: Check) => Authenticated,
    claims: Claims,
    ambient: boolean,
    user: CachedUser,
    active: ActiveSession | undefined,
    until: number,
    mustEnroll: boolean,
  ) {
    this.identity = { ...userPrincipal(user), session: active?.session.id, mustEnroll }
    // A provider's user has nothing here to confirm with.
    this.confirmed =
      active && !user.provider ? { at: active.session.confirmedAt, hasFactor: user.hasFactor } : undefined
    this.until = until
    this.ambient = ambient
    this.claims = claims
    this.user = user
    this.active = active
    this.#judge = judge
  }

  reauthenticate(): Authenticated {
    return this.#judge(this.claims, this.ambient, 'stream')
  }
}

/** TOK-14: a token without a session must be issued after the password was set, in whole seconds; a renewed one must match that password. */
function isValidWithoutSession({ iat, cred }: Claims, user: CachedUser, now: number): boolean {
  // Only a session says when the provider was last asked.
  if (user.provider) return false
  if (cred !== undefined) return cred === credentialOf(user)
  return wholeSeconds(iat * 1000) > wholeSeconds(user.passwordSetAt) && iat <= now / 1000 + clockSkew
}
