import { Type, type Static } from 'typebox'
import { UnixSeconds } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const Severity = Type.Enum(['alert', 'detection'], {
  description: '`alert`: large or long motion. `detection`: any other motion.',
})
export type Severity = Static<typeof Severity>

/** A review item: motion that a camera saw. */
export const ReviewItemResponse = Type.Object({
  id: Type.String(),
  camera: Type.String(),
  start: Type.Number({ description: 'Start time, Unix seconds.' }),
  end: nullable(Type.Number(), 'End time, Unix seconds; null while the item is open.'),
  severity: Severity,
  data: Type.Object({
    motion: Type.Integer({ description: 'Largest part of the frame that moved, percent.' }),
    box: nullable(
      Type.Object({ x: Share, y: Share, width: Share, height: Share }),
      'Box around the motion when most of the frame moved, as fractions of the frame from its top left.',
    ),
  }),
  thumbnail: nullable(
    Type.Number(),
    'Time that the `thumbnail.jpg` shows, Unix seconds; null while there is none. Can change while the item is open.',
  ),
  seen: Type.Boolean({
    description:
      'Whether the caller has seen the item. An item that is raised to an alert is unseen again for every user.',
  }),
})
export type ReviewItemResponse = Static<typeof ReviewItemResponse>

export const ReviewPage = Type.Object({
  items: Type.Array(ReviewItemResponse, { description: 'Newest first.' }),
  cursor: nullable(
    Type.String(),
    'Cursor for older items; null if there are none. With `seen`, a page can have fewer items than `limit` although more follow.',
  ),
})
export type ReviewPage = Static<typeof ReviewPage>

export const ReviewSummary = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({
        description: 'Date on which the items began, in the requested time zone, for example `2026-11-21`.',
      }),
      camera: Type.String(),
      severity: Severity,
      total: Type.Integer(),
      unseen: Type.Integer({ description: 'Number of items that the caller has not seen.' }),
    }),
    { description: 'Newest day first.' },
  ),
})
export type ReviewSummary = Static<typeof ReviewSummary>

/** Contains either `ids` or `filter`. */
export const ReviewSeen = Type.Object(
  {
    seen: Type.Boolean(),
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 500 })),
    filter: Type.Optional(
      Type.Object(
        {
          cameras: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 })),
          after: Type.Optional(UnixSeconds('Earliest start time of an item, Unix seconds.')),
          before: Type.Optional(UnixSeconds('Time before which an item starts, Unix seconds.')),
          severity: Type.Optional(Severity),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReviewSeen = Static<typeof ReviewSeen>
