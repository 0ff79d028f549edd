import type { ReviewSummary } from '../../../server/src/api-types.ts'
import type { ReviewFilter, ShownItems } from './search.ts'

type Count = ReviewSummary['days'][number]

const sum = (counts: readonly Count[], of: 'total' | 'unseen') => counts.reduce((all, count) => all + count[of], 0)

/** The number of unseen alerts, shown in the menu. */
export const unseenAlerts = ({ days }: ReviewSummary): number =>
  sum(
    days.filter(({ severity }) => severity === 'alert'),
    'unseen',
  )

/** Unseen items of each tab, for the chosen camera and day. */
export function unseenByTab(
  { days }: ReviewSummary,
  { camera, day }: ReviewFilter,
): Readonly<Record<ShownItems, number>> {
  const chosen = days.filter(
    (count) => (camera === undefined || count.camera === camera) && (day === undefined || count.day === day),
  )
  const of = (requested: Count['severity']) =>
    sum(
      chosen.filter(({ severity }) => severity === requested),
      'unseen',
    )
  const [alerts, detections] = [of('alert'), of('detection')]
  return { alerts, detections, all: alerts + detections }
}

/** All items of each severity, for the chosen camera and day. */
export function totalByTab(
  { days }: ReviewSummary,
  { camera, day }: ReviewFilter,
): Readonly<Record<ShownItems, number>> {
  const unseenToo = { days: days.map((count) => ({ ...count, unseen: count.total })) }
  return unseenByTab(unseenToo, { ...(camera && { camera }), ...(day && { day }) })
}

/** The days with items, newest first. */
export const daysIn = ({ days }: ReviewSummary): readonly string[] => [...new Set(days.map(({ day }) => day))]
