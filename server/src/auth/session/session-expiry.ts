import type { AuthConfig } from '../config/auth.config.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { Claims } from '../token/jwt-codec.ts'

type Lengths = Pick<AuthConfig, 'session_length' | 'session_max_length'>

/** Expiry of a session that is renewed at one time and began at another. All times are Unix milliseconds. */
export const sessionExpiry = (renewedAt: number, beganAt: number, lengths: Lengths): number =>
  Math.min(renewedAt + lengths.session_length * 1000, latestExpiry(beganAt, lengths))

/** The time at which a session expires however often it is renewed (TOK-15); Infinity if unlimited. */
export const latestExpiry = (beganAt: number, { session_max_length: max }: Lengths): number =>
  max === null ? Infinity : beganAt + max * 1000

/**
 * The end of a session, also one that was renewed with a longer length: by the current length, counted from the last
 * activity or from the change, whichever is later. From what is stored, so that all instances agree.
 *
 * @param shortenedAt when the length became shorter, Unix milliseconds
 */
export const sessionEnd = (
  { expiresAt, lastSeenAt }: Pick<Session, 'expiresAt' | 'lastSeenAt'>,
  shortenedAt: number,
  { session_length: length }: Pick<Lengths, 'session_length'>,
): number => Math.min(expiresAt, Math.max(lastSeenAt, shortenedAt) + length * 1000)

/** A session's token expires by the current session length, even if its `exp` is later. Unix milliseconds. */
export const tokenExpiry = (
  { iat, exp, sid }: Pick<Claims, 'iat' | 'exp' | 'sid'>,
  { session_length: length }: Pick<Lengths, 'session_length'>,
): number => (sid === undefined ? exp : Math.min(exp, iat + length)) * 1000
