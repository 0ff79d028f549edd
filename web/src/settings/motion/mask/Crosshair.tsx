import { useState } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { fewest, discard, place, removeLastPoint, type Drawing } from './drawing.ts'
import { at } from './Handles.tsx'
import { wayOf } from './keys.ts'
import classes from './MaskCanvas.module.css'
import type { Point } from '../motion-settings.ts'
import { usePlaceName } from './usePlaceName.ts'

interface CrosshairProps {
  readonly drawing: Drawing
  readonly step: (by: (drawing: Drawing) => Drawing, to?: 'add') => void
  readonly announce: (words: string) => void
}

/** The points of the mask being drawn, and the crosshair that places the next point by keyboard. */
export function Crosshair({ drawing: { begun = [], masks }, step, announce }: CrosshairProps) {
  const { drawing, masks: words, point } = useTexts('motion').motion
  const placeName = usePlaceName()
  const [where, setWhere] = useState<Point>([0.5, 0.5])
  const number = masks.length + 1
  return (
    <>
      {begun.map((each, index) => (
        <span
          // Points of an unfinished mask have no other identity than their index.
          key={index}
          className={classes.begunPoint}
          style={at(each)}
          {...(index === 0 && begun.length >= fewest && { 'data-hit': 'first' })}
        />
      ))}
      <button
        type="button"
        className={classes.crosshair}
        style={at(where)}
        data-crosshair
        aria-label={drawing.crosshair({ place: placeName(where) })}
        onKeyDown={(event) => {
          const to = wayOf(event, where)
          if (to) {
            const next: Point = [Math.min(1, Math.max(0, to[0])), Math.min(1, Math.max(0, to[1]))]
            setWhere(next)
            announce(placeName(next))
          } else if (event.key === 'Enter' || event.key === ' ') {
            step((now) => place(now, where))
            announce(point.name({ number: begun.length + 1, mask: words.name({ number }), place: placeName(where) }))
          } else if (event.key === 'Backspace' || event.key === 'Delete') step(removeLastPoint)
          else if (event.key === 'Escape') step(discard, 'add')
          else return
          event.preventDefault()
        }}
      />
    </>
  )
}
