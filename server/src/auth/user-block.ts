import { nameKey } from '../users/user-name.ts'
import type { UnblockedUsers, User, UserBlock } from '../users/user.ts'
import type { MfaConfig } from './config/mfa.config.ts'
import { mustEnroll } from './must-enroll.ts'
import { isAcceptedUser, type AcceptingSettings } from './oidc/accepted-user.ts'

export interface BlockSettings {
  readonly oidc: AcceptingSettings
  readonly mfa: Pick<MfaConfig, 'required_for'>
}

/** Why the configuration gives an active user no access now; null: it doesn't. `unblockedUsers` says the same as data. */
export function blockOf(
  user: Pick<User, 'provider' | 'key' | 'role' | 'hasFactor'>,
  { oidc, mfa }: BlockSettings,
): UserBlock | null {
  if (!isAcceptedUser(user, oidc)) return 'not-accepted'
  return mustEnroll(user, mfa) ? 'enrollment-required' : null
}

/** The users without a `blockOf`, as a filter for the database. */
export const unblockedUsers = ({ oidc, mfa }: BlockSettings): UnblockedUsers => ({
  issuer: oidc.issuer,
  onlyAdmin: oidc.only ? (nameKey(oidc.emergency_user ?? '') ?? '') : undefined,
  factorRoles: mfa.required_for,
})
