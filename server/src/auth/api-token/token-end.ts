import { isActive, providerLimit, type CachedUser } from '../../users/user.ts'
import type { ApiToken } from './api-token-store.ts'

/** What the end of a token depends on. */
export type TokenTerms = Pick<ApiToken, 'userId' | 'expiresAt' | 'credentialVersion'>

/**
 * Whether a token has ended without being revoked (KEY-2): by its own expiry, or with its owner's account or password.
 *
 * @param now Unix milliseconds
 */
export function hasTokenEnded(token: TokenTerms, owner: CachedUser, now: number): boolean {
  if (token.expiresAt !== null && now >= token.expiresAt) return true
  if (owner.id !== token.userId || !isActive(owner, now) || providerLimit(owner.provider) <= now) return true
  return token.credentialVersion !== null && token.credentialVersion !== owner.credentialVersion
}
