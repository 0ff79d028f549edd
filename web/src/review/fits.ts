import type { ReviewItemResponse, SeenEvent } from '../../../server/src/api-types.ts'
import { dayOf } from '../lib/day.ts'
import { severityOf } from './queries.ts'
import type { ReviewFilter } from './search.ts'

/** Whether an item matches a filter. */
export function fits({ camera, severity, start, seen }: ReviewItemResponse, filter: ReviewFilter): boolean {
  const requested = severityOf(filter.show)
  return (
    (filter.camera === undefined || filter.camera === camera) &&
    (requested === undefined || requested === severity) &&
    (filter.day === undefined || filter.day === dayOf(start)) &&
    !(filter.unseen && seen)
  )
}

/** Whether a `seen` event applies to an item. */
export const isMarked =
  ({ camera, ids, severity, after = 0, before = Number.POSITIVE_INFINITY }: SeenEvent) =>
  (item: ReviewItemResponse): boolean =>
    item.camera === camera &&
    (ids === undefined
      ? (severity === undefined || severity === item.severity) && item.start >= after && item.start < before
      : ids.includes(item.id))
