import { Type, type Static } from 'typebox'

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const Severity = Type.Enum(['alert', 'detection'], {
  description: '`alert`: what moved was large, or moved long. `detection`: anything else.',
})
export type Severity = Static<typeof Severity>

/** One thing that happened before a camera. */
export const ReviewItemResponse = Type.Object({
  id: Type.String(),
  camera: Type.String(),
  start: Type.Number({ description: 'Unix seconds.' }),
  end: Type.Union([Type.Number(), Type.Null()], { description: 'Unix seconds; null while it goes on.' }),
  severity: Severity,
  data: Type.Object({
    motion: Type.Integer({ description: 'Percent of the picture that moved at most.' }),
    box: Type.Union([Type.Object({ x: Share, y: Share, width: Share, height: Share }), Type.Null()], {
      description: 'Where it moved when it moved most, as shares of the picture from its top left.',
    }),
  }),
  thumbnail: Type.Union([Type.Number(), Type.Null()], {
    description:
      'The moment that its `thumbnail.jpg` shows, unix seconds; null while there is none. It may change while the item goes on.',
  }),
  seen: Type.Boolean({ description: 'By who asks. An item that is raised to an alert is new to everybody again.' }),
})
export type ReviewItemResponse = Static<typeof ReviewItemResponse>

export const ReviewPage = Type.Object({
  items: Type.Array(ReviewItemResponse, { description: 'Newest first.' }),
  cursor: Type.Union([Type.String(), Type.Null()], {
    description:
      'Of what is older; null where nothing is. With `seen` a page may hold fewer than there are further on.',
  }),
})
export type ReviewPage = Static<typeof ReviewPage>

export const ReviewSummary = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: '`2026-11-21`, in the time zone asked for: that on which an item began.' }),
      camera: Type.String(),
      severity: Severity,
      total: Type.Integer(),
      unseen: Type.Integer({ description: 'By who asks.' }),
    }),
    { description: 'Newest day first.' },
  ),
})
export type ReviewSummary = Static<typeof ReviewSummary>

/** Either the one or the other. */
export const ReviewSeen = Type.Object(
  {
    seen: Type.Boolean(),
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 500 })),
    filter: Type.Optional(
      Type.Object(
        {
          cameras: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 })),
          after: Type.Optional(Type.Number({ minimum: 0, maximum: 253_402_300_799 })),
          before: Type.Optional(Type.Number({ minimum: 0, maximum: 253_402_300_799 })),
          severity: Type.Optional(Severity),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReviewSeen = Static<typeof ReviewSeen>
