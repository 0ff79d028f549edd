import { Type } from 'typebox'
import { section, type ConfigOf } from '../../config/key.ts'

export const ShareConfig = section(
  {
    max_hours: Type.Integer({
      default: 720,
      minimum: 1,
      maximum: 8760,
      description: 'The longest time for which a share link can be valid, hours. Links that exist already keep theirs.',
      examples: [168],
    }),
  },
  {
    title: 'share',
    description:
      'Share links: a live camera, a recording or an export for all who have the link. Only roles with `share` can create them.',
  },
)

export type ShareConfig = ConfigOf<typeof ShareConfig>
