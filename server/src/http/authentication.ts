import type { Identity } from '../access/identity.ts'

/** Who a request is from, and how that is found out again while its answer still flows. */
export interface Authentication {
  readonly identity: Identity
  /** Unix milliseconds at which it has to be asked again, whatever happens; undefined for never. */
  readonly until?: number | undefined
  /** Milliseconds by `Clock.elapsed` at which a stream that rests on it ends, whatever holds then (PROXY-18). */
  readonly endsAt?: number | undefined
  /** The same evidence, judged by what holds now. Throws where that cannot be found out: then nobody may stay. */
  reauthenticate(): Authentication | Promise<Authentication>
  /** A token to hand out with the answer, in the cookie (TOK-5). */
  readonly renewed?: SessionToken | undefined
  /** The evidence was a cookie that can never be good again, and the answer clears it. */
  readonly clearCookie?: boolean | undefined
  /** A browser adds this evidence by itself, to requests of foreign pages too (TOK-13). */
  readonly ambient?: boolean | undefined
  /** The evidence was a token that is refused, and for more than its age: the audit log tells of it. */
  readonly refusedToken?: RefusedToken | undefined
}

export interface RefusedToken {
  /** `bad-token`: this service did not sign it. `revoked-token`: its session, password or user is gone. */
  readonly reason: 'bad-token' | 'revoked-token'
  /** Whose it was, where there is such a user still. */
  readonly user: string | null
  /** It was in the cookie. */
  readonly ambient: boolean
}

/** A signed token, and how long a browser keeps it. */
export interface SessionToken {
  readonly token: string
  /** Seconds. */
  readonly maxAge: number
}
