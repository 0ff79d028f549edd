import type { ReviewSummary } from '../shared/api-types.ts'
import type { ReviewFilter, ShownItems } from './search.ts'

type Count = ReviewSummary['days'][number]

const sum = (counts: readonly Count[], of: 'total' | 'unseen') => counts.reduce((all, count) => all + count[of], 0)

/** What the menu shows: alerts that one has not seen yet. */
export const unseenAlerts = ({ days }: ReviewSummary): number =>
  sum(
    days.filter(({ severity }) => severity === 'alert'),
    'unseen',
  )

/** What is new behind each tab, of the camera and the day that are chosen. */
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

/** How much there is of each severity, of the camera and the day that are chosen. */
export function totalByTab(
  { days }: ReviewSummary,
  { camera, day }: ReviewFilter,
): Readonly<Record<ShownItems, number>> {
  const unseenToo = { days: days.map((count) => ({ ...count, unseen: count.total })) }
  return unseenByTab(unseenToo, { ...(camera && { camera }), ...(day && { day }) })
}

/** Days on which something happened, newest first. */
export const daysIn = ({ days }: ReviewSummary): readonly string[] => [...new Set(days.map(({ day }) => day))]
