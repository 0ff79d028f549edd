import { Type } from 'typebox'
import { section, type ConfigOf } from '../../config/key.ts'

export const ShareConfig = section(
  {
    max_hours: Type.Integer({
      default: 720,
      minimum: 1,
      maximum: 8760,
      description: 'Maximum lifetime of a share link, hours. Existing links are not affected.',
      examples: [168],
    }),
  },
  {
    title: 'share',
    description:
      'Share links: a live camera, a recording or an export for anyone who has the link. Only roles with `share` can create them.',
  },
)

export type ShareConfig = ConfigOf<typeof ShareConfig>
