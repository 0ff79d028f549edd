import { Type, type Static } from 'typebox'
import type { User, UserBlock } from './user.ts'
import { Timestamp, timestampOf } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

/** A user in API responses, without the password hash. */
export const UserResponse = Type.Object({
  username: Type.String(),
  key: Type.String({
    description:
      "Identifies the user in paths: the lowercase name or, for an identity provider's user, a key that never changes.",
  }),
  provider: nullable(
    Type.Object({ issuer: Type.String(), subject: Type.String() }),
    'The identity provider that the user signs in with and that determines the role; null: password.',
  ),
  role: Type.String(),
  created_at: Timestamp,
  last_login_at: nullable(Timestamp),
  disabled: Type.Boolean({ description: 'Whether an admin disabled the user, who then cannot sign in.' }),
  expires_at: nullable(Timestamp, 'When the user expires and can no longer sign in; null: never.'),
  blocked: nullable(
    Type.Enum(['not-accepted', 'enrollment-required'] as const satisfies readonly UserBlock[]),
    'Why the configuration gives the user no access now. `not-accepted`: `auth.oidc` does not let the user sign in. `enrollment-required`: the role is in `auth.mfa.required_for`, and the user has no second factor. null: not blocked.',
  ),
})
export type UserResponse = Static<typeof UserResponse>

/** @param blocked see `blockOf` */
export const userResponse = (
  { name, key, provider, role, createdAt, lastLoginAt, disabled, expiresAt }: User,
  blocked: UserBlock | null,
): UserResponse => ({
  username: name,
  key,
  provider: provider && { issuer: provider.issuer, subject: provider.subject },
  role,
  created_at: timestampOf(createdAt),
  last_login_at: lastLoginAt === null ? null : timestampOf(lastLoginAt),
  disabled,
  expires_at: expiresAt === null ? null : timestampOf(expiresAt),
  blocked,
})
