import { Type } from 'typebox'
import { nullable, section, type Read } from './key.ts'

export const ReviewConfig = section(
  {
    retain_days: nullable(Type.Number({ minimum: 0 }), {
      description:
        'Days that what moved is kept in the list, with its picture. Default: as long as recordings of its camera are kept by their days.',
      examples: [30],
    }),
  },
  { title: 'review', description: 'Review: the list of what moved before the cameras.' },
)

export type ReviewConfig = Read<typeof ReviewConfig>
