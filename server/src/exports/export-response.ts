import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { isOwner, type Identity, type Owner } from '../access/identity.ts'
import { ReasonResponse } from '../shared/http/message-schema.ts'
import { Timestamp } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

const ExportState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('failed'),
])
export type ExportState = Static<typeof ExportState>

/** A clip of a recording, saved as a file. */
export const Export = Type.Object({
  id: Type.String(),
  camera: Type.String(),
  name: Type.String({ description: 'Name as given by the user; empty if none was given.' }),
  start: Type.Number({ description: 'Start time, Unix seconds.' }),
  end: Type.Number({ description: 'End time, Unix seconds.' }),
  state: ExportState,
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Progress, percent.' }),
  duration: nullable(
    Type.Number(),
    'Duration of the file, seconds: less than from start to end if not all of it was recorded. Null until the export is done.',
  ),
  bytes: nullable(Type.Integer(), 'Size of the file in bytes; null until the export is done.'),
  reason: Type.Optional(ReasonResponse),
  detail: Type.Optional(Type.String({ description: 'Why the export failed, in English.' })),
  created_at: Timestamp,
  created_by: nullable(
    Type.String(),
    'Name of the user who created the export; null for a caller who cannot see all cameras, unless the export is their own.',
  ),
  own: Type.Boolean({ description: 'Whether the caller created the export.' }),
  camera_removed: Type.Optional(
    Type.Literal(true, {
      description: 'Present if the camera was removed. The export can only be deleted.',
    }),
  ),
})
export type Export = Static<typeof Export>

/** A user with all cameras sees all exports, and therefore their totals. */
export const seesAll = ({ cameras }: CameraScope): boolean => cameras === 'all'

/** Who created an export, as far as the caller can see it, and whether it was the caller. */
export function creatorFields(
  { owner, createdBy }: { readonly owner: Owner; readonly createdBy: string },
  { identity, scope }: { readonly identity: Identity; readonly scope: CameraScope },
): Pick<Export, 'created_by' | 'own'> {
  const own = identity.kind === 'authenticated' && isOwner(identity, owner)
  return { created_by: own || seesAll(scope) ? createdBy : null, own }
}

/** Used and allowed space of exports, in bytes. */
export const ExportShare = Type.Object({
  used: Type.Number({ description: 'Bytes of finished exports, plus the expected bytes of queued and running ones.' }),
  limit: nullable(Type.Number(), 'Maximum bytes; null if there is no limit.'),
  left: nullable(Type.Number(), 'Bytes left below the limit; null if there is no limit.'),
})
export type ExportShare = Static<typeof ExportShare>

export const ExportUsage = Type.Object({
  own: ExportShare,
  all: Type.Optional(
    Type.Intersect([
      ExportShare,
      Type.Object({ free: Type.Number({ description: 'Bytes left on the disk for exports.' }) }),
    ]),
  ),
  state: Type.Enum(['free', 'near', 'full'], {
    description:
      'State of the closest limit, which is `export.max_gb_per_user`, `export.max_gb` or the disk: `near` from 80 percent, `full` if nothing more can be exported.',
  }),
})
export type ExportUsage = Static<typeof ExportUsage>

export const ExportPage = Type.Object({
  items: Type.Array(Export, { description: 'Newest first.' }),
  cursor: nullable(Type.String(), 'Cursor for older exports; null if there are none.'),
})
export type ExportPage = Static<typeof ExportPage>
