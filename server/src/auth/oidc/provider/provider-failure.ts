import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'

/** `denied`: the provider, or a check of its response, refuses. `unavailable`: it gave no usable response. */
export type ProviderFailure = 'denied' | 'unavailable'

/** The provider's response is about another user, or there is no way to ask it about this one. */
export class NotConfirmedError extends Error {}

/** Nothing is known of the provider: its discovery document can't be read, or is that of another issuer. */
export class DiscoveryError extends Error {}

/** The provider's keys can't be fetched, so nothing is known of what it signed. */
export class KeysError extends Error {}

/** The setting that can be wrong, for the log; undefined: the failure doesn't depend on a setting of this service. */
export function settingAtFault(error: unknown): string | undefined {
  if (error instanceof DiscoveryError) return 'auth.oidc.issuer'
  if (isOfClient(error)) return settingOfError.get('invalid_client')
  const isNamed = error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
  return isNamed ? settingOfError.get(error.error) : undefined
}

/** RFC 6749, 4.1.2.1 and 5.2. */
const settingOfError: ReadonlyMap<string, string> = new Map([
  ['invalid_client', 'auth.oidc.client_id, auth.oidc.client_secret'],
  ['unauthorized_client', 'auth.oidc.client_id'],
  ['invalid_scope', 'auth.oidc.scopes'],
])

/** The token endpoint didn't accept this client: it asks for the scheme that the client has used (RFC 6749, 5.2). */
const isOfClient = (error: unknown): boolean =>
  error instanceof WWWAuthenticateChallengeError && error.cause.some(({ scheme }) => scheme === 'basic')

const responseIn = (error: unknown): Response | undefined =>
  error instanceof Error && error.cause instanceof Response ? error.cause : undefined

/** The token endpoint doesn't accept the code or the refresh token: the only refusal that is about what it was sent. */
export const isRejectedCode = (error: unknown): boolean =>
  error instanceof ResponseBodyError && error.error === 'invalid_grant'

/** Why a sign-in failed. What is not known to be an outage, or a problem with this client, is a refusal. */
export function signInFailure(error: unknown): ProviderFailure {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) return recheckFailure(error)
  if (error instanceof AuthorizationResponseError) return isOutage(error.error) ? 'unavailable' : 'denied'
  if (error instanceof DiscoveryError || error instanceof KeysError) return 'unavailable'
  return isConnection(error) ? 'unavailable' : 'denied'
}

/** What a failed re-check means: only a clear refusal ends a session at once (OIDC-3); any other failure can pass (OIDC-5). */
export function recheckFailure(error: unknown): ProviderFailure {
  if (error instanceof NotConfirmedError) return 'denied'
  if (error instanceof ResponseBodyError) return isRejectedCode(error) ? 'denied' : 'unavailable'
  if (isOfClient(error)) return 'unavailable'
  if (error instanceof WWWAuthenticateChallengeError) return isRefused(error.status) ? 'denied' : 'unavailable'
  return isRefused(responseIn(error)?.status) ? 'denied' : 'unavailable'
}

/** RFC 6749, 4.1.2.1. */
const isOutage = (code: string) => code === 'temporarily_unavailable' || code === 'server_error'

const isRefused = (status: number | undefined) => status === 401 || status === 403

/**
 * Whether an exchange failed before there were tokens, so that any code can cause it: the provider is unavailable, or it
 * refused the request. What is wrong with tokens needs a code that the provider accepted.
 */
export const gaveNoTokens = (error: unknown): boolean =>
  signInFailure(error) === 'unavailable' ||
  error instanceof WWWAuthenticateChallengeError ||
  lastResponseIn(error) !== undefined

/** Without a response, after too long, or with one that isn't a refusal. */
function isConnection(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof TypeError || each.name === 'TimeoutError' || each.name === 'AbortError') return true
    const response = responseIn(each)
    if (response) return !isRefused(response.status)
  }
  return false
}

function lastResponseIn(error: unknown): Response | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const response = responseIn(each)
    if (response) return response
  }
  return undefined
}
