import { createHash } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { Clock } from '../../../shared/time/clock.ts'
import type { Random } from '../../../shared/random.ts'
import type { Client, RequestMeta } from '../../../shared/http/request-meta.ts'
import { cookieNames } from '../../cookie/cookie-names.ts'
import { cookieValues } from '../../cookie/cookie-values.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { SignInChecks } from '../provider/provider.ts'

/** A sign-in that has begun, kept in a sealed cookie of the browser that began it. */
export interface SignInRequest extends SignInChecks {
  /** Two providers must not be mixed up: the response must come from the one that was asked (RFC 9700, 4.4). */
  readonly issuer: string
  readonly redirectUri: string
  /** See {@link returnPath}. */
  readonly returnTo: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

export interface SignInRequestDeps {
  readonly box: SecretBox
  readonly clock: Pick<Clock, 'now'>
}

/** The context of the seal. */
const context = 'sign-in'
/** Seconds that a user has to sign in at the provider. */
const maxAge = 600

export const newSignInRequest = (
  { issuer, redirectUri, returnTo }: Pick<SignInRequest, 'issuer' | 'redirectUri' | 'returnTo'>,
  { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random },
): SignInRequest => {
  const secret = () => random.bytes(32).toString('base64url')
  return {
    issuer,
    redirectUri,
    returnTo,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    expiresAt: clock.now() + maxAge * 1000,
  }
}

type CookieClient = Pick<Client, 'basePath' | 'encrypted'>

/**
 * Where and under which name a browser keeps the cookie. Neither a page over plain HTTP nor, with `__Host-`, another host of
 * the domain can set a cookie with the prefix, and so finish the attacker's sign-in in someone else's browser. Browsers
 * accept it over TLS only, and `__Host-` only with `Path=/`, which below a base path would send it to the other programs on
 * the host.
 */
function placeFor({ basePath, encrypted }: CookieClient): { readonly name: string; readonly path: string } {
  const path = `${basePath}api/oidc`
  if (!encrypted) return { name: cookieNames.signIn, path }
  return basePath === '/'
    ? { name: `__Host-${cookieNames.signIn}`, path: '/' }
    : { name: `__Secure-${cookieNames.signIn}`, path }
}

const signInCookieWith = (value: string, seconds: number, client: CookieClient): string =>
  stringifySetCookie({
    ...placeFor(client),
    value,
    maxAge: seconds,
    httpOnly: true,
    // The provider's redirect comes from another site.
    sameSite: 'lax',
    secure: client.encrypted,
  })

export const signInCookie = (request: SignInRequest, client: CookieClient, box: SecretBox): string =>
  signInCookieWith(box.seal(JSON.stringify(request), context), maxAge, client)

/** What is noted of a request that was used. */
export const usedRequestId = ({ state }: Pick<SignInRequest, 'state'>): string =>
  createHash('sha256').update(`${context}\0${state}`).digest('hex')

/** The request is used once. */
export const clearedSignInCookie = (client: CookieClient): string => signInCookieWith('', 0, client)

/** The sign-in that this browser began; undefined: none, an expired one, or several different ones. */
export function signInRequestIn(
  meta: RequestMeta,
  client: CookieClient,
  { box, clock }: SignInRequestDeps,
): SignInRequest | undefined {
  const [value, ...others] = new Set(cookieValues(meta, placeFor(client).name))
  if (value === undefined || others.length > 0) return undefined
  const text = box.open(value, context)
  if (text === undefined) return undefined
  const request = JSON.parse(text) as SignInRequest
  const left = request.expiresAt - clock.now()
  // More than at the start: the clock was set back.
  return left > 0 && left <= maxAge * 1000 ? request : undefined
}
