import type { Log } from '../../shared/log.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import { nameKey } from '../../users/user-name.ts'
import { isAcceptedUser } from './accepted-user.ts'
import type { OidcConfig } from '../config/oidc.config.ts'

/** Warns that no user can sign in while the provider is unavailable (OIDC-1). Does nothing if the database is. */
export async function warnAboutEmergencyUser(
  oidc: Pick<OidcConfig, 'issuer' | 'only' | 'emergency_user'>,
  store: Pick<AccountStore, 'userByKey'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  // Without a name, the check of the configuration has warned.
  if (!oidc.only || oidc.emergency_user === null) return
  const user = await store.userByKey(nameKey(oidc.emergency_user) ?? '').catch(() => null)
  if (user === null || (user && isAcceptedUser(user, oidc))) return
  log.warn(
    { user: oidc.emergency_user, setting: 'auth.oidc.emergency_user' },
    "emergency user isn't an admin: no sign-in while the identity provider is unavailable",
  )
}
