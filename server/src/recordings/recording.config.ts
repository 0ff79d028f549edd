import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { StorageConfig } from '../object-storage/storage.config.ts'
import { Type } from 'typebox'
import { section, type ConfigOf } from '../config/key.ts'

export const RecordingConfig = section(
  {
    enabled: Type.Boolean({ default: true, description: 'Whether cameras are recorded.' }),
    retain_days: Type.Number({
      default: 7,
      minimum: 0,
      description: 'Days recordings are kept, unless set for the camera.',
    }),
    max_gb: Type.Number({
      default: 50,
      exclusiveMinimum: 0,
      description:
        'Gigabytes (10⁹ bytes) of recordings kept on the disk; the oldest of all cameras are deleted first, regardless of how many days they are to be kept. So that a camera that records a lot doesn’t crowd out the others, give it its own limit (`record.max_gb`).',
    }),
  },
  {
    title: 'recording',
    description:
      'Recordings: continuous, stored on disk below the media folder, within the days and the space set here.',
  },
)

export type RecordingConfig = ConfigOf<typeof RecordingConfig>

/** The part of the configuration that recording needs. */
export interface RecordingSettings {
  readonly recording: RecordingConfig
  readonly storage: Pick<StorageConfig, 'tier'>
  readonly cameras: ReadonlyMap<string, Pick<CameraConfig, 'enabled' | 'record'>>
}
