import { ServiceError } from '../../shared/errors.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import type { AuthReasons } from '../reasons.ts'

/**
 * Checks that a session that begins now would have an effect.
 *
 * @throws ServiceError `not-found` if a proxy authenticates the request (PROXY-17); `invalid-request` if the browser
 * would not accept the cookie (TOK-11)
 */
export function requireOwnSignIn(
  { enabled, cookie_same_site }: Pick<AuthConfig, 'enabled' | 'cookie_same_site'>,
  { client, isProxied }: { readonly client: Client; readonly isProxied: boolean },
): void {
  if (!enabled || isProxied) throw new ServiceError<AuthReasons>('not-found', { reason: 'proxy-auth-enabled' })
  if (cookie_same_site === 'none' && !client.encrypted) {
    throw new ServiceError<AuthReasons>('invalid-request', { reason: 'https-required' })
  }
}

/**
 * Checks that users in general can sign in with a password (OIDC-1).
 *
 * @throws ServiceError `conflict`
 */
export function requirePasswords({ oidc }: { readonly oidc: Pick<AuthConfig['oidc'], 'only'> }): void {
  if (oidc.only) throw new ServiceError<AuthReasons>('conflict', { reason: 'provider-only' })
}
