import { ServiceError } from '../shared/errors.ts'
import type { User } from './user.ts'
import type { UserReasons } from './reasons.ts'

/** @throws ServiceError `conflict`: the role and the password of a provider's user are the provider's (OIDC-3). */
export function localUser(user: User): User {
  if (user.provider) throw new ServiceError<UserReasons>('conflict', { reason: 'provider-user' })
  return user
}
