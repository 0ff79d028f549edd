import { Type, type Static } from 'typebox'
import { ReasonResponse } from '../shared/message-schema.ts'

const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
const Percent = Type.Union([Type.Number(), Type.Null()], {
  description: 'Of one processor, so that two kept busy are 200; null until it was looked at twice.',
})
const Bytes = Type.Union([Type.Integer(), Type.Null()], { description: 'Bytes; null where it cannot be found out.' })

/** What one camera costs and gives. */
export const CameraStats = Type.Object({
  name: Type.String(),
  title: Type.String(),
  state: Type.Enum(['online', 'connecting', 'offline', 'disabled']),
  state_changed_at: Timestamp,
  detail: Type.Optional(Type.String({ description: 'Why it is not online.' })),
  reason: Type.Optional(ReasonResponse),
  resolution: Type.Union([Type.String(), Type.Null()]),
  fps: Type.Union([Type.Number(), Type.Null()]),
  codec: Type.Union([Type.String(), Type.Null()], { description: 'Of the picture (RFC 6381), as `avc1.4D401F`.' }),
  recording_state: Type.Enum(['off', 'waiting', 'recording', 'paused']),
  viewers: Type.Integer({ description: 'Live views open.' }),
  restarts: Type.Integer({ description: 'How often reading it had to begin again.' }),
  received_bytes: Type.Integer({ description: 'Live picture received so far.' }),
  bitrate: Type.Union([Type.Integer(), Type.Null()], { description: 'Bits a second; null while not known.' }),
  cpu: Percent,
  memory: Bytes,
})
export type CameraStats = Static<typeof CameraStats>

/** What the service as a whole costs. */
export const ServiceStats = Type.Object({
  version: Type.String(),
  node: Type.String(),
  platform: Type.String({ description: 'As `linux x64`.' }),
  started_at: Timestamp,
  uptime: Type.Integer({ description: 'Seconds.' }),
  cpu: Percent,
  memory: Bytes,
  open_streams: Type.Integer({ description: 'Answers that still flow, to anybody, on both ports.' }),
  database: Type.Object({
    engine: Type.Enum(['sqlite', 'postgres']),
    healthy: Type.Boolean({ description: 'Whether it can be written.' }),
  }),
  media: Type.Union([Type.Object({ total: Type.Integer(), free: Type.Integer() }), Type.Null()], {
    description: 'The disk of recordings, bytes; null where it does not answer.',
  }),
})
export type ServiceStats = Static<typeof ServiceStats>

export const Stats = Type.Object({
  cameras: Type.Array(CameraStats),
  service: Type.Optional(ServiceStats),
})
export type Stats = Static<typeof Stats>
