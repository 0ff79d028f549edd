import { Type, type Static } from 'typebox'
import type { Numbered } from './audit-store.ts'
import { Timestamp, timestampOf } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

export const AuditLine = Type.Object({
  id: Type.Integer(),
  at: Timestamp,
  action: Type.String(),
  result: Type.String(),
  user: nullable(Type.String()),
  auth_method: nullable(Type.String()),
  credential: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The API token, screen or link by which the user was authenticated.' },
    ),
  ),
  address: nullable(Type.String()),
  target: nullable(Type.String()),
  detail: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer({ description: 'Number of occurrences, if more than one.' })),
  duration: Type.Optional(Type.Number({ description: 'Duration so far, seconds.' })),
  start: Type.Optional(Type.Number({ description: 'Start of the viewed recording, Unix seconds.' })),
  end: Type.Optional(Type.Number({ description: 'End of the viewed recording, Unix seconds.' })),
})

export type AuditLine = Static<typeof AuditLine>

/** An entry as the API and the outputs show it. */
export const lineFrom = ({ at, duration, start, end, ...entry }: Numbered) => ({
  ...entry,
  at: timestampOf(at),
  ...(duration !== undefined && { duration: duration / 1000 }),
  ...(start !== undefined && end !== undefined && { start: start / 1000, end: end / 1000 }),
})
