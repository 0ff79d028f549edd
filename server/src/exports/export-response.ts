import { Type, type Static } from 'typebox'
import { ReasonResponse } from '../shared/message-schema.ts'

export const ExportState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('failed'),
])
export type ExportState = Static<typeof ExportState>

/** A piece of a recording that is kept as a file of its own. */
export const Export = Type.Object({
  id: Type.String(),
  camera: Type.String(),
  name: Type.String({ description: 'As given; empty where none was.' }),
  start: Type.Number({ description: 'Unix seconds.' }),
  end: Type.Number({ description: 'Unix seconds.' }),
  state: ExportState,
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.' }),
  seconds: Type.Union([Type.Number(), Type.Null()], {
    description:
      'What the file plays: less than from start to end where not all of it was recorded. Null until it is done.',
  }),
  bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the file; null until it is done.' }),
  reason: Type.Optional(ReasonResponse),
  detail: Type.Optional(Type.String({ description: 'Why it failed, in English.' })),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.Union([Type.String(), Type.Null()], {
    description: 'The name of who made it; null for those who do not see all cameras, unless it is their own.',
  }),
  own: Type.Boolean({ description: 'Whether who asks made it.' }),
  camera_gone: Type.Optional(
    Type.Literal(true, {
      description: 'The camera is not configured any more: all that is left to do is to delete it.',
    }),
  ),
})
export type Export = Static<typeof Export>

const Bytes = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

/** What exports take and may take, in bytes. */
export const ExportShare = Type.Object({
  used: Type.Number({ description: 'Bytes of finished exports, and what waiting and running ones will take.' }),
  limit: Bytes('Bytes; null: no limit of its own.'),
  left: Bytes('Bytes; null: no limit of its own.'),
})
export type ExportShare = Static<typeof ExportShare>

export const ExportUsage = Type.Object({
  own: ExportShare,
  all: Type.Optional(
    Type.Intersect([
      ExportShare,
      Type.Object({ room: Type.Number({ description: 'Bytes that the disk has left for exports.' }) }),
    ]),
  ),
  state: Type.Enum(['free', 'near', 'full'], {
    description:
      'Of whichever limit is closest, `export.max_gb_per_user`, `export.max_gb` or the disk: `near` from 80 percent on, `full` where nothing more can be exported.',
  }),
})
export type ExportUsage = Static<typeof ExportUsage>

export const ExportPage = Type.Object({
  items: Type.Array(Export, { description: 'Newest first.' }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'Of what is older; null where nothing is.' }),
})
export type ExportPage = Static<typeof ExportPage>
