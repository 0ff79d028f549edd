import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react'
import { useLocale } from '../../i18n/texts.ts'
import type { TimeRange } from '../../lib/day.ts'
import { hourText, shortClock } from '../clock-text.ts'
import classes from './Timeline.module.css'
import { shareOf, ticksFor, type Ticks } from '../player/view.ts'

/** The times below the timeline, as many as there is room for. */
export function TimelineAxis({ view }: { view: TimeRange }) {
  const locale = useLocale()
  const axis = useRef<HTMLDivElement>(null)
  const { width, words } = useSizes(axis, locale)
  const ticks = ticksFor(view, width, words)
  return (
    <div ref={axis} className={classes.axis} aria-hidden>
      {ticks.at.map((tick, index) => (
        <span
          key={tick}
          className={classes.tick}
          style={{ '--at': shareOf(view, tick) } as CSSProperties}
          data-edge={edgeOf(shareOf(view, tick), width, ticks.words)}
        >
          {hasRoom(ticks, index, view, width) && (ticks.hourly ? hourText : shortClock)(tick, locale)}
        </span>
      ))}
    </div>
  )
}

/** Pixels that a label can extend past an end of the axis; must match the style sheet. */
const labelOverhang = 14

/** The end of the axis a label must be aligned to, so that it stays within the page. */
function edgeOf(share: number, width: number, words: number): 'start' | 'end' | undefined {
  if (share * width + labelOverhang < words / 2) return 'start'
  return (1 - share) * width + labelOverhang < words / 2 ? 'end' : undefined
}

/** A label that was moved in from an end of the axis may overlap the next one. */
function hasRoom(ticks: Ticks, index: number, view: TimeRange, width: number): boolean {
  const at = shareOf(view, ticks.at[index] ?? 0)
  const edge = edgeOf(at, width, ticks.words)
  const next = ticks.at[edge === 'start' ? index + 1 : index - 1]
  return (
    edge === undefined ||
    next === undefined ||
    Math.abs(shareOf(view, next) - at) * width > ticks.words * 1.5 - labelOverhang + 8
  )
}

/** Pixel widths of the axis and of its widest labels. */
function useSizes(axis: RefObject<HTMLElement | null>, locale: string) {
  const [sizes, setSizes] = useState({ width: 1000, words: { hour: 40, time: 60 } })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      // The font size can change with the width.
      if (entry) setSizes({ width: entry.contentRect.width, words: widthsOn(entry.target, locale) })
    })
    if (axis.current) observer.observe(axis.current)
    return () => observer.disconnect()
  }, [axis, locale])
  return sizes
}

/** Pixel widths of the widest hour label and time label, in the axis' font. */
function widthsOn(axis: Element, locale: string): { hour: number; time: number } {
  const { fontSize, fontFamily } = getComputedStyle(axis)
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `${fontSize} ${fontFamily}`
  const measured = (text: string) => context?.measureText(text).width ?? text.length * 8
  const late = new Date(2000, 0, 1, 22).getTime() / 1000
  return { hour: measured(hourText(late, locale)), time: measured(shortClock(late, locale)) }
}
