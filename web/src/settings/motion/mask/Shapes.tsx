import type { MotionNow } from '../../../../../server/src/api-types.ts'
import type { Drawing } from './drawing.ts'
import classes from './MaskCanvas.module.css'
import type { Point, MotionSettings } from '../motion-settings.ts'

interface ShapesProps {
  readonly drawing: Drawing
  readonly theirs: MotionSettings['masks'] | undefined
  readonly box: MotionNow['box']
  /** Where the next point would go. */
  readonly pointer: Point | undefined
}

const pointsOf = (points: readonly Point[]): string => points.map((point) => point.join(',')).join(' ')

/** The shapes drawn over the snapshot. Hidden from screen readers: the page says the same in words. */
export function Shapes({ drawing: { masks, chosen, begun }, theirs, box, pointer }: ShapesProps) {
  return (
    <svg className={classes.shapes} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden>
      {masks.map(({ id, points }) => (
        <polygon
          key={id}
          className={classes.mask}
          data-hit="mask"
          data-mask={id}
          data-on={chosen?.mask === id || undefined}
          points={pointsOf(points)}
        />
      ))}
      {theirs?.map((points) => (
        <polygon key={pointsOf(points)} className={classes.theirs} points={pointsOf(points)} />
      ))}
      {begun && begun.length > 0 && (
        <>
          <polygon className={classes.begun} points={pointsOf(pointer ? [...begun, pointer] : begun)} />
          <polyline className={classes.line} points={pointsOf(pointer ? [...begun, pointer] : begun)} />
        </>
      )}
      {box && <rect className={classes.box} {...box} />}
    </svg>
  )
}
