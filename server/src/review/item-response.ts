import type { Named } from './named-items.ts'
import type { ReviewItemResponse } from './review-response.ts'
import type { SeenItem } from './review-store.ts'

/** A review item as the API shows it. */
export const itemResponse = ({
  open,
  start,
  end,
  motion,
  box,
  thumbnailAt,
  ...item
}: Named<SeenItem>): ReviewItemResponse => ({
  ...item,
  start: start / 1000,
  end: open ? null : end / 1000,
  data: { motion, box },
  thumbnail: thumbnailAt === null ? null : thumbnailAt / 1000,
})
