import { Type } from 'typebox'
import { section, type Read } from './key.ts'

const limit = (gigabytes: number, description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    default: gigabytes,
    description: `${description} \`0\`: nothing can be exported. \`null\`: no limit of its own.`,
    examples: [100],
  })

export const ExportConfig = section(
  {
    max_gb: limit(
      20,
      'Gigabytes (10⁹ bytes) of all exports together, with those that wait and run. Exports stay until an admin deletes them; beyond this limit no more can be made.',
    ),
    max_gb_per_user: limit(10, 'Gigabytes (10⁹ bytes) of the exports of one user, with those that wait and run.'),
  },
  {
    title: 'export',
    description:
      'Exports: files made of recordings, below the media directory. Whatever is allowed here, on the disk of recordings exports leave half of the room to recordings, or `recording.max_gb` where that is less.',
  },
)

export type ExportConfig = Read<typeof ExportConfig>
