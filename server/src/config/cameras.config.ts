import { Type } from 'typebox'
import { parseCameraSource, sourceWords } from '../shared/camera-source.ts'
import { section, nullable, type Read } from './key.ts'
import { hidden, mayBeAddress, quoted, type Path, type ProblemCollector } from './problem-collector.ts'

const polygonWords = 'a list of polygons, each a list of three corners or more, each `[x, y]` from 0 to 1'

const CameraConfig = section(
  {
    source: Type.String({
      minLength: 1,
      secret: true,
      description:
        'Where the picture comes from: the address of a stream, a video file below the media directory (played over and over), or one of the demo scenes `demo:yard`, `demo:door`, `demo:office`. A `{SERVICE_CAM_…}` placeholder keeps a password out of this file.',
      allowed: { form: 'camera-source', words: sourceWords },
      examples: ['rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream1', 'file:clips/yard.mp4', 'demo:yard'],
    }),
    title: nullable(Type.String({ minLength: 1 }), {
      description: 'What people read. Default: the name.',
      examples: ['Side yard'],
    }),
    enabled: Type.Boolean({
      default: true,
      description: '`false`: listed as disabled, and its source is not asked for pictures.',
    }),
    inherit: Type.Boolean({
      default: false,
      description:
        '`true`: a camera that is added under a name which a removed camera had goes on with the recordings, review items and exports of that one, and roles that list the name grant it. Otherwise a name with another source is a new camera, which has none of them. It counts when the camera is added; for roles, at any time.',
    }),
    record: section(
      {
        enabled: Type.Boolean({ default: true, description: 'Whether this camera is recorded.' }),
        mode: Type.Union([Type.Literal('all'), Type.Literal('motion')], {
          default: 'all',
          description:
            '`all`: everything is kept. `motion`: only where something moves, with some ten seconds before and after.',
        }),
        retain_days: nullable(Type.Number({ minimum: 0 }), {
          description: 'Days a recording of this camera is kept. Default: as under `recording`.',
          examples: [30],
        }),
        max_gb: nullable(Type.Number({ exclusiveMinimum: 0 }), {
          description:
            'Gigabytes (10⁹ bytes) of recordings of this camera kept; the oldest go first. Default: only the limit of all cameras together.',
          examples: [20],
        }),
      },
      { description: 'Recording of this camera.' },
    ),
    motion: section(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Whether motion is looked for. Where it is not, `record.mode: motion` keeps everything.',
        }),
        sensitivity: Type.Enum(['low', 'medium', 'high'], {
          default: 'medium',
          description:
            '`low`: what is near or large, such as a person of a third of the height of the picture. `medium`: a person of a tenth of it. `high`: what is still smaller or hardly stands out, and more false alarms.',
        }),
        masks: Type.Array(Type.Array(Type.Array(Type.Number({ minimum: 0, maximum: 1 }))), {
          default: [],
          description:
            'Parts of the picture that are not looked at: a tree, a street, the time that the camera writes into the picture. Each is a list of corners, three or more, and each corner two numbers from 0 to 1: how far from the left and from the top.',
          allowed: { form: 'polygons', words: polygonWords },
          examples: [
            [
              [
                [0, 0],
                [0.3, 0],
                [0.3, 0.1],
                [0, 0.1],
              ],
            ],
          ],
        }),
        detect_source: nullable(Type.String({ minLength: 1, allowed: { form: 'camera-source', words: sourceWords } }), {
          secret: true,
          description:
            'A second, smaller stream of the same camera that is read for motion alone, all of it decoded: it sees what moves for less than the time between two key frames. Best some 640×360 at 5 pictures a second. Default: the key frames of `source` are looked at, which costs least.',
          examples: ['rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream2'],
        }),
      },
      { description: 'Motion detection at this camera. A change takes effect on save; the live view runs on.' },
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
  inherit: false,
  record: { enabled: true, mode: 'all', retain_days: null, max_gb: null },
  motion: { enabled: true, sensitivity: 'medium', masks: [], detect_source: null },
})

/** What a service shows that was told of no cameras. */
export const demoCameras: CamerasConfig = new Map([
  ['yard', demo('yard', 'Yard')],
  ['door', demo('door', 'Front door')],
  ['office', demo('office', 'Office')],
])

export function checkCameras(cameras: CamerasConfig, mediaDir: string, { problem, warning }: ProblemCollector): void {
  for (const [name, { source, record, motion }] of cameras) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      // A password that was cut in two by a sign may be taken for a name.
      const shown = /\d/.test(name) || mayBeAddress(name) ? hidden : name
      const message = `the camera name ${quoted(shown)} is not 1 to 64 of letters, digits, \`_\` and \`-\``
      problem(['cameras', name], { code: 'camera-signs', message }, ['cameras', shown])
    }
    // A source that is missing is a problem already.
    const sources = [
      { at: ['source'], text: source },
      { at: ['motion', 'detect_source'], text: motion.detect_source ?? '' },
    ]
    for (const { at, text } of sources) {
      if (text === '') continue
      const parsed = parseCameraSource(text, mediaDir)
      if ('problem' in parsed) problem(['cameras', name, ...at], parsed.problem)
    }
    checkMasks(motion.masks, ['cameras', name, 'motion', 'masks'], problem)
    if (record.enabled && record.mode === 'motion' && !motion.enabled) {
      const message = 'nothing looks for motion at this camera (`motion.enabled: false`), so everything is kept'
      warning(['cameras', name, 'record', 'mode'], { code: 'no-motion-detection', message })
    }
  }
}

function checkMasks(masks: CameraConfig['motion']['masks'], path: Path, problem: ProblemCollector['problem']): void {
  for (const [index, corners] of masks.entries()) {
    if (corners.length < 3) {
      problem([...path, index], { code: 'mask-corners', message: 'is no area: that has three corners or more' })
    }
    for (const [place, corner] of corners.entries()) {
      if (corner.length === 2) continue
      const message = 'is no corner; allowed: two numbers from 0 to 1, from the left and from the top'
      problem([...path, index, place], { code: 'mask-corner', message })
    }
  }
}
