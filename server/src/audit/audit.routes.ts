import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import { milliseconds } from '../shared/clock.ts'
import { cursorOf, markFrom } from '../shared/cursor.ts'
import type { AuditStore, Numbered, EntryPosition } from './audit-store.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

export const AuditLine = Type.Object({
  id: Type.Integer(),
  at: Type.String({ format: 'date-time' }),
  action: Type.String(),
  result: Type.String(),
  user: Nullable,
  auth_method: Nullable,
  address: Nullable,
  target: Nullable,
  detail: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer({ description: 'Number of occurrences, if more than one.' })),
  duration: Type.Optional(Type.Number({ description: 'Duration so far, seconds.' })),
  start: Type.Optional(Type.Number({ description: 'Start of the viewed recording, Unix seconds.' })),
  end: Type.Optional(Type.Number({ description: 'End of the viewed recording, Unix seconds.' })),
})

export type AuditLine = Static<typeof AuditLine>

export const AuditPage = Type.Object({
  entries: Type.Array(AuditLine),
  /** The cursor of the next page; null on the last page. */
  cursor: Nullable,
})

export type AuditPage = Static<typeof AuditPage>

/** Unix seconds, at most the latest time that a JavaScript Date can represent. */
const Timestamp = Type.Number({ minimum: 0, maximum: 8.64e12 })

/** Max actions per request. */
const maxActions = 32

const AuditQuery = Type.Object({
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Actions, separated by commas.' })),
  result: Type.Optional(Type.Enum(['success', 'denied', 'failure'])),
  after: Type.Optional(Timestamp),
  before: Type.Optional(Timestamp),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
})

export const auditRoutes = (store: AuditStore): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit',
    access: { service: 'audit.read' },
    schema: {
      summary: 'List audit log entries, newest first.',
      querystring: AuditQuery,
      response: { 200: AuditPage },
    },
    async handle({ query }) {
      const { user, action, result, after, before, limit = 100, cursor } = query
      const found = await store.entries({
        user: user?.replaceAll('\0', '\u2400'),
        actions: action?.replaceAll('\0', '\u2400').split(',', maxActions),
        result,
        after: moment(after),
        before: moment(before),
        from: cursor === undefined ? undefined : positionFrom(cursor),
        // One extra row shows whether there is another page.
        limit: limit + 1,
      })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return { entries: page.map(lineFrom), cursor: found.length > limit && last ? cursorOf(last.at, last.id) : null }
    },
  }),
]

/** Entries have whole milliseconds, so a fraction in `after` or `before` is rounded up. */
const moment = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.ceil(milliseconds(seconds))

const lineFrom = ({ at, duration, start, end, ...entry }: Numbered): AuditLine => ({
  ...entry,
  at: new Date(at).toISOString(),
  ...(duration !== undefined && { duration: duration / 1000 }),
  ...(start !== undefined && end !== undefined && { start: start / 1000, end: end / 1000 }),
})

/** Entries are numbered from 1. */
const idShape = /^[1-9]\d{0,14}$/

function positionFrom(cursor: string): EntryPosition {
  const { at, id } = markFrom(cursor, idShape)
  return { at, id: Number(id) }
}
