import { Type, type Static } from 'typebox'
import { storageProblems } from '../shared/storage/objects.ts'
import { ReasonResponse } from '../shared/http/message-schema.ts'
import { Timestamp } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

const Percent = nullable(
  Type.Number(),
  'CPU usage, percent of one core: two busy cores are 200. Null until sampled twice.',
)
const Bytes = nullable(Type.Integer(), 'Resident memory, bytes; null if unknown.')

const FailingSince = Type.Number({ description: 'Time of the first failure since the last success, Unix seconds.' })

/** Statistics of a camera. */
export const CameraStats = Type.Object({
  name: Type.String(),
  title: Type.String(),
  state: Type.Enum(['online', 'connecting', 'offline', 'disabled']),
  state_changed_at: Timestamp,
  detail: Type.Optional(Type.String({ description: 'Why the camera is not online.' })),
  reason: Type.Optional(ReasonResponse),
  resolution: nullable(Type.String()),
  fps: nullable(Type.Number()),
  codec: nullable(Type.String(), 'Video codec (RFC 6381), for example `avc1.4D401F`.'),
  recording_state: Type.Enum(['off', 'waiting', 'recording', 'paused']),
  viewers: Type.Integer({ description: 'Number of open live views.' }),
  restarts: Type.Integer({ description: 'Number of restarts of the camera stream.' }),
  received_bytes: Type.Integer({ description: 'Live video received so far, bytes.' }),
  bitrate: nullable(Type.Integer(), 'Bits per second; null if unknown.'),
  cpu: Percent,
  memory: Bytes,
})
export type CameraStats = Static<typeof CameraStats>

/** Statistics of the service. */
export const ServiceStats = Type.Object({
  version: Type.String(),
  node: Type.String(),
  platform: Type.String({ description: 'Platform, for example `linux x64`.' }),
  started_at: Timestamp,
  uptime: Type.Integer({ description: 'Uptime, seconds.' }),
  cpu: Percent,
  memory: Bytes,
  open_streams: Type.Integer({ description: 'Number of open streams of all users, on both ports.' }),
  database: Type.Object({
    engine: Type.Enum(['sqlite', 'postgres']),
    healthy: Type.Boolean({ description: 'Whether the database is writable.' }),
    size: nullable(Type.Integer(), 'Size of the database on its disk, bytes; null if it cannot be read now.'),
    free: nullable(
      Type.Integer(),
      'How much of `size` is free for new rows, bytes; null if it cannot be read now, and with PostgreSQL.',
    ),
  }),
  audit_outputs: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.Enum(['ok', 'failing']),
      detail: Type.Optional(Type.String({ description: 'Why nothing can be written.' })),
      since: Type.Optional(FailingSince),
      waiting: Type.Integer({ description: 'Number of audit log entries not written yet.' }),
      missed: Type.Integer({ description: 'Number of entries dropped since startup.' }),
    }),
    { description: 'The outputs of the audit log (`audit.outputs`) of this instance.' },
  ),
  identity_provider: nullable(
    Type.Object({
      name: Type.String(),
      state: Type.Enum(['ok', 'failing', 'unknown'], { description: '`unknown`: not contacted since startup.' }),
      since: Type.Optional(FailingSince),
      setting: Type.Optional(Type.String({ description: 'The setting that may be wrong.' })),
    }),
    'The identity provider (`auth.oidc`) when last contacted; null: none is configured.',
  ),
  object_storage: nullable(
    Type.Object({
      state: Type.Enum(['ok', 'failing']),
      problem: Type.Optional(Type.Enum([...storageProblems], { description: 'Why the last request failed.' })),
      since: Type.Optional(FailingSince),
    }),
    'The object storage as this instance sees it; null if none is configured.',
  ),
  media: nullable(
    Type.Object({ total: Type.Integer(), free: Type.Integer() }),
    'Space on the recordings disk, bytes; null if the disk does not respond.',
  ),
})
export type ServiceStats = Static<typeof ServiceStats>

export const Stats = Type.Object({
  cameras: Type.Array(CameraStats),
  service: Type.Optional(ServiceStats),
})
export type Stats = Static<typeof Stats>
