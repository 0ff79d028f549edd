import { Type, type Static } from 'typebox'
import type { User } from './account-store.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

/** A user in API responses, without the password hash. */
export const UserResponse = Type.Object({
  username: Type.String(),
  role: Type.String(),
  created_at: Timestamp,
  last_login_at: Type.Union([Timestamp, Type.Null()]),
  disabled: Type.Boolean({ description: 'Whether an admin disabled the user, who then cannot sign in.' }),
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'From when the user cannot sign in; null: no limit.',
  }),
})
export type UserResponse = Static<typeof UserResponse>

export const userView = ({ name, role, createdAt, lastLoginAt, disabled, expiresAt }: User): UserResponse => ({
  username: name,
  role,
  created_at: moment(createdAt),
  last_login_at: lastLoginAt === null ? null : moment(lastLoginAt),
  disabled,
  expires_at: expiresAt === null ? null : moment(expiresAt),
})

/** @param at Unix milliseconds. */
export const moment = (at: number): string => new Date(at).toISOString()
