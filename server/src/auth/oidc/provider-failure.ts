import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'

/** `denied`: the provider, or a check of its response, refuses. `unavailable`: it gave no usable response. */
export type ProviderFailure = 'denied' | 'unavailable'

/** The provider's response is not about the user who was asked for. */
export class OtherUserError extends Error {}

/** Why a sign-in failed. What is not known to be an outage is a refusal. */
export function signInFailure(error: unknown): ProviderFailure {
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'denied'
  if (error instanceof AuthorizationResponseError) return isOutage(error.error) ? 'unavailable' : 'denied'
  return isConnection(error) ? 'unavailable' : 'denied'
}

/** What a failed re-check means: only a clear refusal ends a session at once (OIDC-3); any other failure can pass (OIDC-5). */
export function recheckFailure(error: unknown): ProviderFailure {
  if (error instanceof OtherUserError) return 'denied'
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'denied' : 'unavailable'
  if (error instanceof WWWAuthenticateChallengeError) return isRefused(error.status) ? 'denied' : 'unavailable'
  const { cause } = error as Error
  return cause instanceof Response && isRefused(cause.status) ? 'denied' : 'unavailable'
}

/** RFC 6749, 4.1.2.1. */
const isOutage = (code: string) => code === 'temporarily_unavailable' || code === 'server_error'

const isRefused = (status: number) => status === 401 || status === 403

/** Without a response, after too long, or with a response of a failing server. */
function isConnection(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof TypeError || each.name === 'TimeoutError' || each.name === 'AbortError') return true
    if (each.cause instanceof Response) return each.cause.status >= 500
  }
  return false
}
