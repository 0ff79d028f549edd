import type { UserResponse } from '../../../server/src/api-types.ts'

/** The host of the identity provider that a user signs in with; undefined: a local user. */
export const providerHostOf = ({ provider }: Pick<UserResponse, 'provider'>): string | undefined =>
  provider ? (URL.parse(provider.issuer)?.host ?? provider.issuer) : undefined
