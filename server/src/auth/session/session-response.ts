import { Type, type Static } from 'typebox'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { ActiveSession } from './sessions.ts'

export const SessionResponse = Type.Object({
  id: Type.String(),
  username: Type.String(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  address: Type.String(),
  user_agent: Type.String(),
  current: Type.Boolean({ description: "Whether this is the request's own session." }),
})
export type SessionResponse = Static<typeof SessionResponse>

export const sessionResponse = (
  active: ActiveSession<Session>,
  username: string,
  current: string | undefined,
): SessionResponse => ({
  id: active.session.id,
  username,
  created_at: timestampOf(active.session.createdAt),
  last_seen_at: timestampOf(active.lastSeenAt),
  expires_at: timestampOf(active.expiresAt),
  address: active.session.address,
  user_agent: active.session.userAgent,
  current: active.session.id === current,
})
