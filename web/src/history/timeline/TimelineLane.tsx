import { memo } from 'react'
import type { TimeRange } from '../../lib/day.ts'
import classes from './Timeline.module.css'
import type { Span } from '../recorded/spans.ts'
import type { Recorded } from '../recorded/useRecorded.ts'

/** Width and height of a lane in SVG units. */
const width = 10_000
const height = 100

/** One camera's day: recordings and motion. */
export const TimelineLane = memo(({ recorded, view, now }: LaneProps) => {
  const scale = width / (view.to - view.from)
  const x = (at: number) => Math.round((Math.min(Math.max(at, view.from), view.to) - view.from) * scale)
  const inView = ({ start, end }: Span) => end > view.from && start < view.to
  const kinds = [
    { name: classes.span, spans: recorded?.spans.filter(inView) ?? [] },
    { name: classes.unavailable, spans: recorded?.unavailable.filter(inView) ?? [] },
  ]

  return (
    <svg className={classes.lane} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {now < view.to && <rect className={classes.future} x={x(now)} width={width - x(now)} height={height} />}
      {kinds.map(({ name, spans }) =>
        spans.map(({ start, end }) => (
          <rect
            key={start}
            className={name}
            x={x(start)}
            // A minimum width keeps short recordings visible.
            width={Math.max(12, x(end) - x(start))}
            height={height}
          />
        )),
      )}
      {recorded && <path className={classes.motion} d={motionPath(recorded, view, x)} />}
    </svg>
  )
})
TimelineLane.displayName = 'TimelineLane'

interface LaneProps {
  readonly recorded: Recorded | undefined
  readonly view: TimeRange
  /** Unix seconds; later times are in the future. */
  readonly now: number
}

/** Motion as bars. The square root makes little motion visible too. */
function motionPath({ motion: { from, part, percent } }: Recorded, view: TimeRange, x: (at: number) => number): string {
  return percent
    .flatMap((each, index) => {
      const start = from + index * part
      if (each <= 0 || start + part <= view.from || start >= view.to) return []
      const [left, right] = [x(start), x(start + part)]
      const top = Math.round(height * (1 - 0.18 - 0.82 * Math.sqrt(Math.min(each, 100) / 100)))
      return `M${left} ${height}V${top}H${Math.max(right, left + 8)}V${height}Z`
    })
    .join('')
}
