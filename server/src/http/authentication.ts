import type { Confirmed } from '../access/confirmation.ts'
import type { AuthMethod, Identity } from '../access/identity.ts'

/** The identity of a request, and a way to authenticate it again while its response is still being sent. */
export interface Authentication {
  readonly identity: Identity
  /** Unix milliseconds at which the identity must be authenticated again; undefined: only after an invalidation. */
  readonly until?: number | undefined
  /** Milliseconds by `Clock.elapsed` at which its open streams are closed, even if still allowed (PROXY-18). */
  readonly endsAt?: number | undefined
  /** Checks the same credentials against the current state. Throws if that fails; the stream is then closed. */
  reauthenticate(): Authenticated
  /** A renewed token to set in the response's cookie (TOK-5). */
  readonly renewed?: SessionToken | undefined
  /** The response clears the session cookie: alone, or with all cookies of the site, also those of a whole domain. */
  readonly clearCookie?: 'alone' | 'with-site' | undefined
  /** Browsers send these credentials automatically, with cross-origin requests too (TOK-13). */
  readonly ambient?: boolean | undefined
  /** When the user last confirmed who they are (MFA-4); undefined: the caller has no session of this service. */
  readonly confirmed?: Confirmed | undefined
  /** Set if a token was rejected for a reason other than expiry. It is written to the audit log. */
  readonly refusedToken?: RefusedToken | undefined
}

/** The result of authenticating; without a promise if everything that it needs is in memory. */
export type Authenticated = Authentication | Promise<Authentication>

export interface RefusedToken {
  /** `bad-token`: not signed by this service. `revoked-token`: its session was revoked, or its user changed password or was deleted. */
  readonly reason: 'bad-token' | 'revoked-token'
  /** The token's user; null if unknown or deleted. */
  readonly user: { readonly name: string; readonly authMethod: AuthMethod } | null
  /** Whether the token was in the cookie. */
  readonly ambient: boolean
}

/** A signed token and its cookie lifetime. */
export interface SessionToken {
  readonly token: string
  /** Seconds. */
  readonly maxAge: number
}
