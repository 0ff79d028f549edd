import { memo } from 'react'
import type { TimeRange } from './day.ts'
import classes from './Timeline.module.css'
import type { Recorded } from './useRecorded.ts'

/** Units that a lane is wide and high, in its own measure. */
const width = 10_000
const height = 100

/** One camera's day: what was recorded, and how much moved. */
export const TimelineLane = memo(({ recorded, view, now }: LaneProps) => {
  const scale = width / (view.to - view.from)
  const x = (at: number) => Math.round((Math.min(Math.max(at, view.from), view.to) - view.from) * scale)
  const seen = recorded?.spans.filter(({ start, end }) => end > view.from && start < view.to) ?? []

  return (
    <svg className={classes.lane} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {now < view.to && <rect className={classes.future} x={x(now)} width={width - x(now)} height={height} />}
      {seen.map(({ start, end }) => (
        <rect
          key={start}
          className={classes.span}
          x={x(start)}
          // What is short is still there.
          width={Math.max(12, x(end) - x(start))}
          height={height}
        />
      ))}
      {recorded && <path className={classes.motion} d={motionPath(recorded, view, x)} />}
    </svg>
  )
})
TimelineLane.displayName = 'TimelineLane'

interface LaneProps {
  readonly recorded: Recorded | undefined
  readonly view: TimeRange
  /** Unix seconds; what lies behind it has not come. */
  readonly now: number
}

/** Bars from below. Little motion is seen too: the root makes small things larger. */
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
