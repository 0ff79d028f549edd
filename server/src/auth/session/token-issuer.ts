import { LRUCache } from 'lru-cache'
import type { SessionToken } from '../../http/authentication.ts'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { wholeSeconds, type Clock } from '../../shared/time/clock.ts'
import type { CachedUser } from '../../users/user.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import type { Claims, JwtCodec } from '../token/jwt-codec.ts'
import { sessionExpiry } from './session-expiry.ts'
import type { ActiveSession, Sessions } from './sessions.ts'

/** The settings that tokens depend on. They can change while the service runs. */
export type TokenSettings = Pick<AuthConfig, 'session_length' | 'session_max_length' | 'cookie_name'>

export interface TokenIssuerDeps {
  readonly codec: Pick<JwtCodec, 'sign'>
  readonly sessions: Pick<Sessions, 'extend'>
  readonly settings: () => TokenSettings
  readonly clock: Clock
}

/**
 * Makes a token, and extends its session.
 *
 * @param active undefined for a token without a session
 * @param claims those of the token that is renewed; undefined for the first one of a session
 */
export type IssueToken = (user: CachedUser, active: ActiveSession | undefined, claims?: Claims) => SessionToken

interface IssuedToken {
  readonly iat: number
  readonly exp: number
  readonly role: string
  readonly token: SessionToken
}

export function createTokenIssuer({ codec, sessions, settings, clock }: TokenIssuerDeps): IssueToken {
  // The last token of each session, because a renewal within the same second returns the same token.
  const issued = new LRUCache<string, IssuedToken>(cacheLimit(10_000))

  return (user, active, claims) => {
    const lengths = settings()
    const iat = wholeSeconds(clock.now())
    const since = active ? wholeSeconds(active.session.createdAt) : (claims?.since ?? iat)
    const expiresAt = sessionExpiry(iat * 1000, since * 1000, lengths)
    const exp = expiresAt / 1000
    if (active) sessions.extend(active, expiresAt, lengths.session_length * 1000)
    const cred = credentialOf(user)
    const slot = active?.session.id ?? `${cred}.${since}`
    const last = issued.get(slot)
    if (last?.iat === iat && last.exp === exp && last.role === user.role) return last.token
    const whose = active ? { sid: active.session.id } : { cred, since }
    const token = {
      token: codec.sign({ sub: user.provider ? user.key : user.name, role: user.role, iat, exp, ...whose }),
      maxAge: Math.max(0, exp - iat),
    }
    issued.set(slot, { iat, exp, role: user.role, token })
    return token
  }
}

/** Identifies a user's current password: a new user with an old name has another id, a new password another version. */
export const credentialOf = ({ id, credentialVersion }: Pick<CachedUser, 'id' | 'credentialVersion'>): string =>
  `${id}.${credentialVersion}`
