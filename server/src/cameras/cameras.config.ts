import { Type } from 'typebox'
import { cameraNamePattern } from '../shared/camera/camera-name.ts'
import { demoTitles } from '../shared/with-web/demo-cameras.ts'
import { parseCameraSource, type SourceProblems } from '../shared/camera/camera-source.ts'
import type { CodedMessage } from '../shared/messages/coded-message.ts'
import { section, nullableKey, table, type ConfigOf } from '../config/key.ts'
import { hidden, looksLikeUrl, type SectionReport } from '../config/problem-collector.ts'
import { configProblem } from '../config/problem-codes.ts'

export interface CamerasConfigProblems extends SourceProblems {
  'invalid-camera-name': null
  'too-few-points': null
  'invalid-point': null
  'no-motion-detection': null
}

type CameraProblem = CodedMessage<CamerasConfigProblems>

const Point = Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
  minItems: 2,
  maxItems: 2,
  wrongSize: configProblem('invalid-point'),
})

export const CameraConfig = section(
  {
    source: Type.String({
      minLength: 1,
      secret: true,
      description:
        'Where the video comes from: a stream URL, a video file below the media folder (played in a loop), or one of the demo scenes `demo:yard`, `demo:door`, `demo:office`. A `{SERVICE_CAM_…}` placeholder keeps a password out of this file.',
      allowed: 'camera-source',
      examples: ['rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream1', 'file:clips/yard.mp4', 'demo:yard'],
    }),
    title: nullableKey(Type.String({ minLength: 1 }), {
      description: 'Title shown in the UI. Default: the name.',
      examples: ['Side yard'],
    }),
    enabled: Type.Boolean({
      default: true,
      description: 'Whether the camera is used. `false`: it is listed as disabled and its source is not opened.',
    }),
    inherit: Type.Boolean({
      default: false,
      description:
        '`true`: a camera added under the name of a removed camera takes over the recordings, items and exports of that camera, and roles that list the name grant access to it. `false`: a name with a different source is a new camera without any of these. Read when the camera is added; for roles, at any time.',
    }),
    labels: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$', allowed: 'label' }), {
      default: [],
      description:
        'Labels (`node.labels`) that an instance must have to pull this camera, if several instances share the cameras.',
      examples: [['house']],
    }),
    record: section(
      {
        enabled: Type.Boolean({ default: true, description: 'Whether this camera is recorded.' }),
        mode: Type.Enum(['all', 'motion'], {
          default: 'all',
          description:
            '`all`: everything is kept. `motion`: only recordings with motion, including about ten seconds before and after.',
        }),
        retain_days: nullableKey(Type.Number({ minimum: 0 }), {
          description: 'Days recordings of this camera are kept. Default: `recording.retain_days`.',
          examples: [30],
        }),
        max_gb: nullableKey(Type.Number({ exclusiveMinimum: 0 }), {
          description:
            'Gigabytes (10⁹ bytes) of recordings kept for this camera; the oldest are deleted first. Default: only the limit for all cameras together.',
          examples: [20],
        }),
      },
      { description: 'Recording of this camera.' },
    ),
    motion: section(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Whether motion is detected. Without motion detection, `record.mode: motion` keeps everything.',
        }),
        sensitivity: Type.Enum(['low', 'medium', 'high'], {
          default: 'medium',
          description:
            '`low`: large or near objects, such as a person a third of the height of the frame. `medium`: a person a tenth of the height. `high`: even smaller or low-contrast objects, with more false alarms.',
        }),
        masks: Type.Array(Type.Array(Point, { minItems: 3, wrongSize: configProblem('too-few-points') }), {
          default: [],
          description:
            'Parts of the frame that are ignored: a tree, a street, the clock that the camera draws into its video. Each mask is a list of three or more points, each point two numbers from 0 to 1: the distance from the left and from the top.',
          allowed: 'polygons',
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
        detect_source: nullableKey(Type.String({ minLength: 1, allowed: 'camera-source' }), {
          secret: true,
          description:
            'A second, smaller stream of the same camera, used only for motion detection and decoded completely: it detects motion shorter than the time between two key frames. About 640×360 at 4 frames per second works best; no more than two per second are analyzed. Default: the key frames of `source`, which costs least.',
          examples: ['rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream2'],
        }),
      },
      {
        description:
          'Motion detection for this camera. A change takes effect on save and does not interrupt the live view.',
      },
    ),
  },
  { description: 'One camera.' },
)

export type CameraConfig = ConfigOf<typeof CameraConfig>

export const CamerasConfig = table(CameraConfig, {
  title: 'cameras',
  names: cameraNamePattern,
  wrongName: wrongCameraName,
  description:
    'The cameras by name: 1 to 64 letters, digits, `_` and `-`. Without this section there are three demo cameras, `yard`, `door` and `office`; `cameras: {}` means no cameras.',
  examples: [{ side_yard: { source: 'rtsp://user:{SERVICE_CAM_PASSWORD}@192.0.2.7/stream1', title: 'Side yard' } }],
})

export type CamerasConfig = ConfigOf<typeof CamerasConfig>

const demo = (scene: string, title: string): CameraConfig => ({
  source: `demo:${scene}`,
  title,
  enabled: true,
  inherit: false,
  labels: [],
  record: { enabled: true, mode: 'all', retain_days: null, max_gb: null },
  motion: { enabled: true, sensitivity: 'medium', masks: [], detect_source: null },
})

/** The cameras of a service whose configuration names none. */
export const demoCameras: CamerasConfig = new Map(demoTitles.map(([name, title]) => [name, demo(name, title)]))

function wrongCameraName(name: string): { readonly problem: CameraProblem; readonly shown: string } {
  // A password that contains a separator could have been read as a name.
  const shown = /\d/.test(name) || looksLikeUrl(name) ? hidden : name
  return { problem: configProblem('invalid-camera-name'), shown }
}

export function checkCameras(
  cameras: CamerasConfig,
  mediaDir: string,
  { problem, warning }: SectionReport<CameraProblem>,
): void {
  for (const [name, { source, record, motion }] of cameras) {
    // A missing source has been reported already.
    const sources = [
      { at: ['source'], text: source },
      { at: ['motion', 'detect_source'], text: motion.detect_source ?? '' },
    ]
    for (const { at, text } of sources) {
      if (text === '') continue
      const parsed = parseCameraSource(text, mediaDir)
      if ('problem' in parsed) problem(['cameras', name, ...at], parsed.problem)
    }
    if (record.enabled && record.mode === 'motion' && !motion.enabled) {
      warning(['cameras', name, 'record', 'mode'], configProblem('no-motion-detection'))
    }
  }
}
