import type { UserResponse } from '../../../server/src/api-types.ts'
import { hostOf } from '../lib/host-of.ts'

/** The host of the identity provider that a user signs in with; undefined: a local user. */
export const providerHostOf = ({ provider }: Pick<UserResponse, 'provider'>): string | undefined =>
  provider ? hostOf(provider.issuer) : undefined
