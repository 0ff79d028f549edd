import type { UserResponse } from '../../../server/src/api-types.ts'

export type UserStatus = 'enabled' | 'expiring' | 'expired' | 'disabled'

/** Whether a user can sign in, and for how long. @param now Unix milliseconds */
export function statusOf(
  { disabled, expires_at: end }: Pick<UserResponse, 'disabled' | 'expires_at'>,
  now: number,
): UserStatus {
  if (disabled) return 'disabled'
  if (end === null) return 'enabled'
  return Date.parse(end) <= now ? 'expired' : 'expiring'
}

/** Whether a user is an admin on whom others can rely: one who is disabled, expires or depends on a provider is not. */
export const staysAdmin = ({
  role,
  disabled,
  expires_at: end,
  provider,
}: Pick<UserResponse, 'role' | 'disabled' | 'expires_at' | 'provider'>): boolean =>
  role === 'admin' && !disabled && end === null && provider === null
