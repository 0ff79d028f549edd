import { Type } from 'typebox'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'

const limit = (gigabytes: number, description: string) =>
  nullableKey(Type.Number({ minimum: 0 }), {
    default: gigabytes,
    description: `${description} \`0\`: no exports. \`null\`: no limit.`,
    examples: [100],
  })

export const ExportConfig = section(
  {
    max_gb: limit(
      20,
      'Gigabytes (10⁹ bytes) of all exports together, including queued and running exports. Exports are kept until an admin deletes them; at the limit, new exports are rejected.',
    ),
    max_gb_per_user: limit(10, 'Gigabytes (10⁹ bytes) of exports per user, including queued and running exports.'),
  },
  {
    title: 'export',
    description:
      'Exports: video files made from recordings, stored below the media folder. Regardless of these limits, exports on the recordings disk leave half of the space to recordings, or `recording.max_gb` if that is less.',
  },
)

export type ExportConfig = ConfigOf<typeof ExportConfig>
