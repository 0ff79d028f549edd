import { Type } from 'typebox'
import { section, type Read } from './key.ts'

export const RecordingConfig = section(
  {
    enabled: Type.Boolean({ default: true, description: 'Whether cameras are recorded at all.' }),
    retain_days: Type.Number({
      default: 7,
      minimum: 0,
      description: 'Days a recording is kept, unless its camera says otherwise.',
    }),
    max_gb: Type.Number({
      default: 50,
      exclusiveMinimum: 0,
      description: 'Gigabytes (10⁹ bytes) of recordings kept; the oldest go first.',
    }),
  },
  {
    title: 'recording',
    description:
      'Recordings: on disk below the media directory, day and night, within the days and the space given here.',
  },
)

export type RecordingConfig = Read<typeof RecordingConfig>
