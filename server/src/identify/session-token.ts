import type { Identity } from '../access/identity.ts'
import { stranger } from '../access/identity.ts'
import type { RefusedToken, SessionToken, Standing } from '../access/standing.ts'
import type { User } from '../accounts/account-store.ts'
import type { LiveSession, Sessions } from '../accounts/sessions.ts'
import type { Users } from '../accounts/users.ts'
import { wholeSeconds, type Clock } from '../shared/clock.ts'
import type { Knock } from '../shared/knock.ts'
import { LRUCache } from 'lru-cache'
import { allTokens, evidenceOf } from './session-evidence.ts'
import { createTokenDesk, type Claims } from './token-claims.ts'

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
  identify(knock: Knock): Standing | Promise<Standing>
  /** TOK-4: a new token of the same session, for whoever came with a good one; undefined for anybody else. */
  refresh(standing: Standing): SessionToken | undefined
  /** The token that a new session begins with. */
  issue(user: User, live: LiveSession): SessionToken
  /** The session of a request's token, if it is valid now. */
  validSession(knock: Knock): Promise<LiveSession | undefined>
  /** The sessions of all tokens in a request that we signed, expired ones too (TOK-6). */
  sessionsShown(knock: Knock): Promise<string[]>
}

export interface SessionTokensParts {
  readonly secret: string
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'find' | 'findAnew' | 'noteSeen' | 'extend'>
  readonly settings: () => TokenSettings
  readonly clock: Clock
}

/** How far in the future another program's clock may be, seconds (TOK-14). */
const clockSkew = 60

/** `request`: the token has to live; `stream`: its session has to, whose later tokens the stream does not see. */
type Asking = 'request' | 'stream'

/** Says who a token's holder is by what holds now: the token names a session and a user, the database says the rest. */
export function createSessionTokens({ secret, users, sessions, settings, clock }: SessionTokensParts): SessionTokens {
  const desk = createTokenDesk(secret)
  // The last token of each session, since a renewal within the same second gives the same one.
  const issued = new LRUCache<string, IssuedToken>({ max: 10_000 })

  const make = (user: User, live: LiveSession | undefined, claims: Claims | undefined): SessionToken => {
    const { session_length: length, session_max_length: most } = settings()
    const iat = wholeSeconds(clock.now())
    const since = live ? wholeSeconds(live.session.createdAt) : (claims?.since ?? iat)
    const exp = Math.min(iat + length, most === null ? Infinity : since + most)
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
    live: LiveSession | undefined,
  ): Standing => {
    const revoked = () => refused({ reason: 'revoked-token', user: user?.name ?? null, ambient })
    if (!user) return revoked()
    const { session_max_length: most } = settings()
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
    if (most !== null) end = Math.min(end, begun + most * 1000)
    if (end <= now) return nobody
    if (live) sessions.noteSeen(live)
    const standing = new TokenStanding(judge, claims, ambient, user, live, end)
    if (ambient && asking === 'request' && now >= ((claims.iat + exp) / 2) * 1000) {
      const renewed = make(user, live, claims)
      // Where the session may not be renewed any further, the same end is no renewal.
      if (most === null || wholeSeconds(now) + renewed.maxAge > exp) standing.renewed = renewed
    }
    return standing
  }

  const judge = (claims: Claims, ambient: boolean, asking: Asking): Standing | Promise<Standing> => {
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
      live = sessions.findAnew(claims.sid)
    }
    if (user instanceof Promise || live instanceof Promise) {
      return Promise.all([user, live]).then(([user, live]) => verdict(claims, ambient, asking, user, live))
    }
    return verdict(claims, ambient, asking, user, live)
  }

  const identify = (knock: Knock): Standing | Promise<Standing> => {
    const evidence = evidenceOf(knock, settings().cookie_name)
    if (evidence.kind !== 'token') return evidence.kind === 'none' ? nobody : nobodyAndClear
    const { ambient } = evidence
    const judged = (claims: Claims | undefined) =>
      claims ? judge(claims, ambient, 'request') : refused({ reason: 'bad-token', user: null, ambient })
    const claims = desk.read(evidence.token)
    return claims instanceof Promise ? claims.then(judged) : judged(claims)
  }

  return {
    identify,
    async validSession(knock) {
      const standing = await identify(knock)
      return standing instanceof TokenStanding ? standing.live : undefined
    },
    refresh: (standing) =>
      standing instanceof TokenStanding ? make(standing.user, standing.live, standing.claims) : undefined,
    issue: (user, live) => make(user, live, undefined),
    async sessionsShown(knock) {
      const ids = new Set<string>()
      for (const token of allTokens(knock, settings().cookie_name)) {
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

const nobody: Standing = { identity: stranger, again: () => nobody }
const refused = (refusedToken: RefusedToken): Standing => ({ ...nobody, refusedToken })
const nobodyAndClear: Standing = { identity: stranger, again: () => nobody, clearCookie: true }

/** One who came with a good token. A class, because one is made for each request. */
class TokenStanding implements Standing {
  readonly identity: Identity
  readonly until: number
  readonly ambient: boolean
  renewed: SessionToken | undefined
  readonly claims: Claims
  readonly user: User
  readonly live: LiveSession | undefined
  readonly #judge: (claims: Claims, ambient: boolean, asking: Asking) => Standing | Promise<Standing>

  constructor(
    judge: (claims: Claims, ambient: boolean, asking: Asking) => Standing | Promise<Standing>,
    claims: Claims,
    ambient: boolean,
    user: User,
    live: LiveSession | undefined,
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

  again(): Standing | Promise<Standing> {
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
