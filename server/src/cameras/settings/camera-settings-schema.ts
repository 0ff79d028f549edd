import { Type, type Static } from 'typebox'
import { newCameraNamePattern } from '../../shared/camera/camera-name.ts'
import { nullable } from '../../shared/nullable.ts'

const Name = Type.String({ pattern: newCameraNamePattern })
const Source = Type.String({ minLength: 1, maxLength: 2048 })
const Title = nullable(Type.String({ minLength: 1, maxLength: 256 }), 'Title in the UI. null: the name is shown.')

export const NewCamera = Type.Object(
  {
    name: Name,
    source: Source,
    title: Type.Optional(Title),
    enabled: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
    inherit: Type.Optional(
      Type.Boolean({
        description:
          'Whether the camera takes over the recordings, items and exports of a removed camera with its name (`GET /api/removed-cameras/{name}`). Default: false.',
      }),
    ),
    keep_demo: Type.Optional(
      Type.Boolean({
        description:
          'Whether to keep the demo cameras, which are shown while the configuration names no cameras. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type NewCamera = Static<typeof NewCamera>

export const CameraChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: newCameraNamePattern,
        description: 'New name. Roles that list the camera are updated.',
      }),
    ),
    source: Type.Optional(Source),
    title: Type.Optional(Title),
    enabled: Type.Optional(Type.Boolean()),
    inherit: Type.Optional(
      Type.Boolean({
        description:
          'With a new `name`: whether the camera takes over the recordings, items and exports of a removed camera with that name (`GET /api/removed-cameras/{name}`). Default: false.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Changes to a camera. Omitted keys stay unchanged.' },
)

export type CameraChange = Static<typeof CameraChange>

/** As an array of numbers: not every reader of the API's document knows tuples. */
const Point = Type.Unsafe<[number, number]>(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }))

export const Motion = Type.Object(
  {
    enabled: Type.Boolean(),
    sensitivity: Type.Enum(['low', 'medium', 'high']),
    masks: Type.Array(Type.Array(Point, { maxItems: 1000 }), {
      maxItems: 1000,
      description:
        'Polygons of three or more points. Each point is two numbers from 0 to 1: the distance from the left and from the top.',
    }),
  },
  { additionalProperties: false },
)

export type Motion = Static<typeof Motion>

export const CameraLimits = Type.Object(
  {
    enabled: Type.Boolean(),
    mode: Type.Enum(['all', 'motion']),
    retain_days: nullable(Type.Number(), 'Days recordings are kept. null: as for all cameras.'),
    max_gb: nullable(Type.Number(), 'Gigabytes (10⁹ bytes) of recordings kept. null: no limit for this camera.'),
  },
  { additionalProperties: false },
)

export type CameraLimits = Static<typeof CameraLimits>

export const Limits = Type.Object(
  {
    enabled: Type.Boolean(),
    retain_days: Type.Number({ description: 'Days.' }),
    max_gb: Type.Number({ description: 'Gigabytes (10⁹ bytes).' }),
  },
  { additionalProperties: false },
)

export type Limits = Static<typeof Limits>

export const CameraSettings = Type.Object({
  name: Type.String(),
  source: Type.String({ description: 'Source without credentials, path and query, which can contain secrets.' }),
  source_masked: Type.Boolean({ description: 'Whether part of `source` is replaced by `***`.' }),
  title: Title,
  enabled: Type.Boolean(),
  labels: Type.Array(Type.String(), { description: 'Labels that an instance must have to pull the camera.' }),
  motion: Motion,
  record: CameraLimits,
})
export type CameraSettings = Static<typeof CameraSettings>

export const AllCameraSettings = Type.Object({
  cameras: Type.Array(CameraSettings),
  recording: Limits,
  roles: Type.Array(Type.Object({ name: Type.String(), cameras: Type.Array(Type.String()) }), {
    description: 'Custom roles and the cameras they list.',
  }),
  demo: Type.Boolean({
    description: 'Whether these are the demo cameras, because the configuration names no cameras.',
  }),
  editable: Type.Boolean({
    description: 'Whether the service can edit the cameras in the configuration. false: edit its text by hand.',
  }),
})
export type AllCameraSettings = Static<typeof AllCameraSettings>
