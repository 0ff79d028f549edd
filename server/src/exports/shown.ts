import { Type, type Static } from 'typebox'
import { ReasonShown } from '../shared/shown.ts'

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
  reason: Type.Optional(ReasonShown),
  detail: Type.Optional(Type.String({ description: 'Why it failed, in English.' })),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String({ description: 'The name of who made it.' }),
  own: Type.Boolean({ description: 'Whether who asks made it.' }),
  camera_gone: Type.Optional(
    Type.Literal(true, {
      description: 'The camera is not configured any more: all that is left to do is to delete it.',
    }),
  ),
})
export type Export = Static<typeof Export>

export const ExportPage = Type.Object({
  items: Type.Array(Export, { description: 'Newest first.' }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'Of what is older; null where nothing is.' }),
})
export type ExportPage = Static<typeof ExportPage>
