import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { RecordingConfig } from '../recordings/recording.config.ts'
import { Type } from 'typebox'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'

export const ReviewConfig = section(
  {
    retain_days: nullableKey(Type.Number({ minimum: 0 }), {
      description:
        'Days that review items are kept, with their thumbnails. Default: as long as recordings of the camera are kept.',
      examples: [30],
    }),
  },
  { title: 'review', description: 'Review: the list of motion detected by the cameras.' },
)

export type ReviewConfig = ConfigOf<typeof ReviewConfig>

/** The part of the configuration that review needs. */
export interface ReviewSettings {
  readonly review: ReviewConfig
  readonly recording: Pick<RecordingConfig, 'retain_days'>
  readonly cameras: ReadonlyMap<string, Pick<CameraConfig, 'enabled' | 'motion' | 'record'>>
}
