import { Type, type Static } from 'typebox'
import type { User } from './account-store.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

/** A user in API responses, without the password hash. */
export const UserResponse = Type.Object({
  username: Type.String(),
  role: Type.String(),
  created_at: Timestamp,
  last_login_at: Type.Union([Timestamp, Type.Null()]),
})
export type UserResponse = Static<typeof UserResponse>

export const userView = ({ name, role, createdAt, lastLoginAt }: User): UserResponse => ({
  username: name,
  role,
  created_at: moment(createdAt),
  last_login_at: lastLoginAt === null ? null : moment(lastLoginAt),
})

/** @param at Unix milliseconds. */
export const moment = (at: number): string => new Date(at).toISOString()
