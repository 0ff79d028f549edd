import { createHash } from 'node:crypto'
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { isProviderText } from './provider-id.ts'
import { signatureAlgorithms } from './signature-algorithms.ts'

/** A logout token of the provider (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
export interface LogoutToken {
  readonly issuer: string
  /** SHA-256 of issuer and the token's id. */
  readonly hash: string
  /** At least one of the two is given. */
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** From when the token is too old. Unix milliseconds. */
  readonly expiresAt: number
}

export interface LogoutTokenChecks {
  readonly issuer: string
  readonly clientId: string
  readonly keys: JWTVerifyGetKey
  /** Unix milliseconds. */
  readonly now: number
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds that a token is accepted, and that clocks can differ. */
const maxAge = 120
const skew = 60

/** Not a valid logout token for this client. */
export class LogoutTokenError extends Error {}

/** @throws LogoutTokenError, an error of jose, or one of the request for the keys */
export async function readLogoutToken(
  token: string,
  { issuer, clientId, keys, now }: LogoutTokenChecks,
): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: [...signatureAlgorithms],
    currentDate: new Date(now),
    clockTolerance: skew,
    maxTokenAge: maxAge,
    requiredClaims: ['iat', 'jti', 'events'],
  })
  const { typ = 'logout+jwt' } = protectedHeader
  if (!/^(application\/)?(logout\+)?jwt$/i.test(typ)) throw new LogoutTokenError('not of the type of a logout token')
  // An ID token has a nonce and no event.
  if ('nonce' in payload) throw new LogoutTokenError('a logout token has no nonce')
  if (!isLogout(payload['events'])) throw new LogoutTokenError('the event of a logout is missing')
  const subject = textIn(payload, 'sub')
  const sid = textIn(payload, 'sid')
  if (subject === undefined && sid === undefined) throw new LogoutTokenError('names neither a user nor a session')
  const { jti, iat = 0 } = payload
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenError('has no id')
  const hash = createHash('sha256').update(`${issuer}\0${jti}`).digest('hex')
  return { issuer, hash, subject, sid, expiresAt: (iat + maxAge + 2 * skew) * 1000 }
}

const isLogout = (events: unknown): boolean => isObject(events) && isObject(events[event])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws LogoutTokenError if the claim is there and isn't the text of a user or a session */
function textIn(payload: JWTPayload, name: 'sub' | 'sid'): string | undefined {
  const value = payload[name]
  if (value === undefined) return undefined
  if (value === '' || !isProviderText(value)) throw new LogoutTokenError(`${name} is not a text`)
  return value
}
