import { Type } from 'typebox'
import { parseCameraSource, sourceWords } from '../shared/camera-source.ts'
import { section, orNull, type Read } from './key.ts'
import { quoted, type Report } from './report.ts'

const CameraConfig = section(
  {
    source: Type.String({
      minLength: 1,
      secret: true,
      description:
        'Where the picture comes from: the address of a stream, a video file below the media directory (played over and over), or one of the demo scenes `demo:yard`, `demo:door`, `demo:office`. A `{SERVICE_…}` placeholder keeps a password out of this file.',
      allowed: { form: 'camera-source', words: sourceWords },
      examples: ['rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream1', 'file:clips/yard.mp4', 'demo:yard'],
    }),
    title: orNull(Type.String({ minLength: 1 }), {
      description: 'What people read. Default: the name.',
      examples: ['Side yard'],
    }),
    enabled: Type.Boolean({
      default: true,
      description: '`false`: listed as disabled, and its source is not asked for pictures.',
    }),
    record: section(
      {
        enabled: Type.Boolean({ default: true, description: 'Whether this camera is recorded.' }),
        retain_days: orNull(Type.Number({ minimum: 0 }), {
          description: 'Days a recording of this camera is kept. Default: as under `recording`.',
          examples: [30],
        }),
        max_gb: orNull(Type.Number({ exclusiveMinimum: 0 }), {
          description:
            'Gigabytes (10⁹ bytes) of recordings of this camera kept; the oldest go first. Default: only the limit of all cameras together.',
          examples: [20],
        }),
      },
      { description: 'Recording of this camera.' },
    ),
    motion: section(
      { enabled: Type.Boolean({ default: true, description: 'Whether motion is looked for.' }) },
      { description: 'Motion detection. Without effect in this version.' },
    ),
  },
  { description: 'One camera.' },
)

export type CameraConfig = Read<typeof CameraConfig>

export const CamerasConfig = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), CameraConfig, {
  title: 'cameras',
  default: {},
  description:
    'The cameras by name: 1 to 64 letters, digits, `_` and `-`. Without this section there are three demo cameras, `yard`, `door` and `office`; `cameras: {}` means none.',
  examples: [{ side_yard: { source: 'rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream1', title: 'Side yard' } }],
})

export type CamerasConfig = Read<typeof CamerasConfig>

const demo = (scene: string, title: string): CameraConfig => ({
  source: `demo:${scene}`,
  title,
  enabled: true,
  record: { enabled: true, retain_days: null, max_gb: null },
  motion: { enabled: true },
})

/** What a service shows that was told of no cameras. */
export const demoCameras: CamerasConfig = new Map([
  ['yard', demo('yard', 'Yard')],
  ['door', demo('door', 'Front door')],
  ['office', demo('office', 'Office')],
])

export function checkCameras(cameras: CamerasConfig, mediaDir: string, { problem }: Report): void {
  for (const [name, { source }] of cameras) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      const message = `the camera name ${quoted(name)} is not 1 to 64 of letters, digits, \`_\` and \`-\``
      problem(['cameras', name], { code: 'camera-signs', message })
    }
    // A source that is missing is a problem already.
    if (source === '') continue
    const parsed = parseCameraSource(source, mediaDir)
    if ('problem' in parsed) problem(['cameras', name, 'source'], parsed.problem)
  }
}
