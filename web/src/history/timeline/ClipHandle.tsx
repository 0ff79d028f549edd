import type { CSSProperties, KeyboardEvent } from 'react'
import { useLocale } from '../../i18n/texts.ts'
import type { TimeRange } from '../../lib/day.ts'
import classes from './Timeline.module.css'
import { timeOfDay } from '../../lib/format-time.ts'

interface ClipHandleProps {
  readonly side: 'start' | 'end'
  readonly label: string
  readonly at: number
  readonly day: TimeRange
  readonly style: CSSProperties
  readonly momentAt: (clientX: number) => number
  readonly onMove: (at: number) => void
}

/** One end of the clip on the timeline: moved by dragging, or with the arrow keys. */
export function ClipHandle({ side, label, at, day, style, momentAt, onMove }: ClipHandleProps) {
  const locale = useLocale()

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const seconds = secondsOf(event)
    if (seconds === undefined) return
    event.preventDefault()
    // The page's own shortcuts on these keys control the video.
    event.stopPropagation()
    onMove(at + seconds)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.handle}
      data-side={side}
      style={style}
      aria-label={label}
      aria-valuemin={Math.round(day.from)}
      aria-valuemax={Math.round(day.to)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={timeOfDay(at, locale)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        event.stopPropagation()
        onMove(momentAt(event.clientX))
      }}
    />
  )
}

/** Seconds by which a key moves the handle; undefined for other keys. */
function secondsOf(event: KeyboardEvent<HTMLDivElement>): number | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined
  const step = event.shiftKey ? 60 : 1
  const direction = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
  const by: Readonly<Record<string, number>> = {
    ArrowLeft: -step * direction,
    ArrowRight: step * direction,
    ArrowUp: step,
    ArrowDown: -step,
    PageUp: 60,
    PageDown: -60,
  }
  return by[event.key]
}
