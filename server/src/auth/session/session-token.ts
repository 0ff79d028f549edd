import type { Identity } from '../../access/identity.ts'
import { unauthenticated } from '../../access/identity.ts'
import type { RefusedToken, SessionToken, Authentication } from '../../http/authentication.ts'
import type { User } from '../../users/account-store.ts'
import type { ActiveSession, Sessions } from './sessions.ts'
import type { Users } from '../../users/users.ts'
import { wholeSeconds, type Clock } from '../../shared/clock.ts'
import type { RequestMeta } from '../../shared/request-meta.ts'
import { LRUCache } from 'lru-cache'
import { allTokens, evidenceOf } from './presented-token.ts'
import { createJwtCodec, type Claims } from '../token/jwt-codec.ts'

/** What of the `auth` section tokens depend on; asked for each time, because it may change while we run. */
export interface TokenSettings {
  /** Seconds. */
  readonly session_length: number
  /** Seconds; null for none (TOK-15). */
  readonly session_max_length: number | null
  readonly cookie_name: string
}

export interface SessionTokens {
  /** The port's way from a request to an identity, while users sign in here. */
  authenticate(meta: RequestMeta): Authentication | Promise<Authentication>
  /** TOK-4: a new token of the same session, for whoever came with a good one; undefined for anybody else. */
  refresh(authentication: Authentication): SessionToken | undefined
  /** The token that a new session begins with. */
  issue(user: User, live: ActiveSession): SessionToken
  /** The session of a request's token, if it is valid now. */
  validSession(meta: RequestMeta): Promise<ActiveSession | undefined>
  /** The sessions of all tokens in a request that we signed, expired ones too (TOK-6). */
  sessionIdsFrom(meta: RequestMeta): Promise<string[]>
}

export interface SessionTokensDeps {
  readonly secret: string
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'find' | 'findUncached' | 'touch' | 'extend'>
  readonly settings: () => TokenSettings
  readonly clock: Clock
}

/** How far in the future another program's clock may be, seconds (TOK-14). */
const clockSkew = 60

/** `request`: the token has to live; `stream`: its session has to, whose later tokens the stream does not see. */
type Asking = 'request' | 'stream'

/** Says who a token's holder is by what holds now: the token names a session and a user, the database says the rest. */
export function createSessionTokens({ secret, users, sessions, settings, clock }: SessionTokensDeps): SessionTokens {
  const desk = createJwtCodec(secret)
  // The last token of each session, since a renewal within the same second gives the same one.
  const issued = new LRUCache<string, IssuedToken>({ max: 10_000 })

  const make = (user: User, live: ActiveSession | undefined, claims: Claims | undefined): SessionToken => {
    const { session_length: length, session_max_length: max } = settings()
    const iat = wholeSeconds(clock.now())
    const since = live ? wholeSeconds(live.session.createdAt) : (claims?.since ?? iat)
    const exp = Math.min(iat + length, max === null ? Infinity : since + max)
    if (live) sessions.extend(live, exp * 1000, length * 1000)
    const cred = credentialOf(user)
    const slot = live?.session.id ?? `${cred}.${since}`
    const last = issued.get(slot)
    if (last?.iat === iat && last.exp === exp && last.role === user.role) return last.token
    const whose = live ? { sid: live.session.id } : { cred, since }
    const token = {
      token: desk.sign({ sub: user.name, role: user.role, iat, exp, ...whose }),
      maxAge: Math.max(0, exp - iat),
    }
    issued.set(slot, { iat, exp, role: user.role, token })
    return token
  }

  /** A token of a session lives no longer than sessions do now, whatever it says. Unix seconds. */
  const expiryOf = ({ iat, exp, sid }: Claims): number =>
    sid === undefined ? exp : Math.min(exp, iat + settings().session_length)

  const verdict = (
    claims: Claims,
    ambient: boolean,
    asking: Asking,
    user: User | undefined,
    live: ActiveSession | undefined,
  ): Authentication => {
    const revoked = () => refused({ reason: 'revoked-token', user: user?.name ?? null, ambient })
    if (!user) return revoked()
    const { session_max_length: max } = settings()
    const now = clock.now()
    const exp = expiryOf(claims)
    let end = exp * 1000
    let begun = claims.since * 1000
    if (claims.sid === undefined) {
      if (!holdsWithoutSession(claims, user, now)) return revoked()
    } else {
      if (!live || live.session.userId !== user.id) return revoked()
      if (live.session.credentialVersion !== user.credentialVersion) return revoked()
      end = Math.max(end, live.expiresAt)
      begun = live.session.createdAt
    }
    if (max !== null) end = Math.min(end, begun + max * 1000)
    if (end <= now) return nobody
    if (live) sessions.touch(live)
    const authentication = new TokenStanding(judge, claims, ambient, user, live, end)
    if (ambient && asking === 'request' && now >= ((claims.iat + exp) / 2) * 1000) {
      const renewed = make(user, live, claims)
      // Where the session may not be renewed any further, the same end is no renewal.
      if (max === null || wholeSeconds(now) + renewed.maxAge > exp) authentication.renewed = renewed
    }
    return authentication
  }

  const judge = (claims: Claims, ambient: boolean, asking: Asking): Authentication | Promise<Authentication> => {
    const now = clock.now()
    if (asking === 'request' && expiryOf(claims) * 1000 <= now) return nobody
    if (claims.nbf !== undefined && claims.nbf * 1000 > now) return nobody
    const user = users.byKey(claims.key)
    let live = claims.sid === undefined ? undefined : sessions.find(claims.sid)
    if (
      asking === 'stream' &&
      claims.sid !== undefined &&
      live &&
      !(live instanceof Promise) &&
      live.expiresAt <= now
    ) {
      live = sessions.findUncached(claims.sid)
    }
    if (user instanceof Promise || live instanceof Promise) {
      return Promise.all([user, live]).then(([user, live]) => verdict(claims, ambient, asking, user, live))
    }
    return verdict(claims, ambient, asking, user, live)
  }

  const authenticate = (meta: RequestMeta): Authentication | Promise<Authentication> => {
    const evidence = evidenceOf(meta, settings().cookie_name)
    if (evidence.kind !== 'token') return evidence.kind === 'none' ? nobody : nobodyAndClear
    const { ambient } = evidence
    const judged = (claims: Claims | undefined) =>
      claims ? judge(claims, ambient, 'request') : refused({ reason: 'bad-token', user: null, ambient })
    const claims = desk.read(evidence.token)
    return claims instanceof Promise ? claims.then(judged) : judged(claims)
  }

  return {
    authenticate,
    async validSession(meta) {
      const authentication = await authenticate(meta)
      return authentication instanceof TokenStanding ? authentication.live : undefined
    },
    refresh: (authentication) =>
      authentication instanceof TokenStanding
        ? make(authentication.user, authentication.live, authentication.claims)
        : undefined,
    issue: (user, live) => make(user, live, undefined),
    async sessionIdsFrom(meta) {
      const ids = new Set<string>()
      for (const token of allTokens(meta, settings().cookie_name)) {
        const claims = await desk.read(token)
        if (claims?.sid !== undefined) ids.add(claims.sid)
      }
      return [...ids]
    },
  }
}

interface IssuedToken {
  readonly iat: number
  readonly exp: number
  readonly role: string
  readonly token: SessionToken
}

const nobody: Authentication = { identity: unauthenticated, reauthenticate: () => nobody }
const refused = (refusedToken: RefusedToken): Authentication => ({ ...nobody, refusedToken })
const nobodyAndClear: Authentication = { identity: unauthenticated, reauthenticate: () => nobody, clearCookie: true }

/** One who came with a good token. A class, because one is made for each request. */
class TokenStanding implements Authentication {
  readonly identity: Identity
  readonly until: number
  readonly ambient: boolean
  renewed: SessionToken | undefined
  readonly claims: Claims
  readonly user: User
  readonly live: ActiveSession | undefined
  readonly #judge: (claims: Claims, ambient: boolean, asking: Asking) => Authentication | Promise<Authentication>

  constructor(
    judge: (claims: Claims, ambient: boolean, asking: Asking) => Authentication | Promise<Authentication>,
    claims: Claims,
    ambient: boolean,
    user: User,
    live: ActiveSession | undefined,
    until: number,
  ) {
    const { id: userId, name, key, role } = user
    this.identity = { kind: 'known', source: 'password', name, key, userId, role, session: live?.session.id }
    this.until = until
    this.ambient = ambient
    this.renewed = undefined
    this.claims = claims
    this.user = user
    this.live = live
    this.#judge = judge
  }

  reauthenticate(): Authentication | Promise<Authentication> {
    return this.#judge(this.claims, this.ambient, 'stream')
  }
}

/** Another user of that name has another id, and another password another version. */
const credentialOf = ({ id, credentialVersion }: User): string => `${id}.${credentialVersion}`

/** TOK-14: later than the last setting of the password, strictly, in whole seconds; a renewed one of that very password. */
function holdsWithoutSession({ iat, cred }: Claims, user: User, now: number): boolean {
  if (cred !== undefined) return cred === credentialOf(user)
  return wholeSeconds(iat * 1000) > wholeSeconds(user.passwordSetAt) && iat <= now / 1000 + clockSkew
}
