import { nameKey } from '../../users/user-name.ts'
import type { User } from '../../users/user.ts'
import type { OidcConfig } from '../config/oidc.config.ts'

export type AcceptingSettings = Pick<OidcConfig, 'issuer' | 'only' | 'emergency_user'>

/**
 * Whether the configuration accepts a user's sessions and tokens (OIDC-1): a provider's user, while that provider is
 * configured; a local user, unless `only` is set. Then it accepts the one that `emergency_user` names, while an admin.
 */
export function isAcceptedUser(
  { provider, key, role }: Pick<User, 'provider' | 'key' | 'role'>,
  oidc: AcceptingSettings,
): boolean {
  if (provider) return provider.issuer === oidc.issuer
  return !oidc.only || (role === 'admin' && key === nameKey(oidc.emergency_user ?? ''))
}
