import { Type, type Static } from 'typebox'
import type { User } from './account-store.ts'
import type { LiveSession } from './sessions.ts'

export const Moment = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

/** A user as others may see them: never the hash. */
export const UserView = Type.Object({
  username: Type.String(),
  role: Type.String(),
  created_at: Moment,
  last_login_at: Type.Union([Moment, Type.Null()]),
})
export type UserView = Static<typeof UserView>

export const userView = ({ name, role, createdAt, lastLoginAt }: User): UserView => ({
  username: name,
  role,
  created_at: moment(createdAt),
  last_login_at: lastLoginAt === null ? null : moment(lastLoginAt),
})

export const SessionView = Type.Object({
  id: Type.String(),
  username: Type.String(),
  created_at: Moment,
  last_seen_at: Moment,
  expires_at: Moment,
  address: Type.String(),
  user_agent: Type.String(),
  current: Type.Boolean({ description: 'It is the one this request came with.' }),
})
export type SessionView = Static<typeof SessionView>

export const sessionView = (live: LiveSession, username: string, current: string | undefined): SessionView => ({
  id: live.session.id,
  username,
  created_at: moment(live.session.createdAt),
  last_seen_at: moment(live.lastSeenAt),
  expires_at: moment(live.expiresAt),
  address: live.session.address,
  user_agent: live.session.userAgent,
  current: live.session.id === current,
})

/** @param at Unix milliseconds. */
export const moment = (at: number): string => new Date(at).toISOString()
