import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { clockText, dateText, hourText, shortClock } from './clock-text.ts'
import type { TimeRange } from '../lib/day.ts'
import { endingAt, startingAt } from './mark.ts'
import { HoverPreview } from './HoverPreview.tsx'
import classes from './Timeline.module.css'
import { TimelineLane } from './TimelineLane.tsx'
import type { Recorded } from './useRecorded.ts'
import { usePinch } from './usePinch.ts'
import { panned, ticksFor, zoomed, type Ticks } from './view.ts'

interface TimelineProps {
  readonly day: TimeRange
  readonly view: TimeRange
  /** Changes the visible part of the day. */
  readonly viewport: (change: (view: TimeRange) => TimeRange) => void
  readonly lanes: readonly { readonly name: string; readonly title: string; readonly recorded: Recorded | undefined }[]
  readonly at: number
  readonly now: number
  readonly mark: TimeRange | undefined
  readonly setMark: (mark: TimeRange) => void
  /** A short text: what was recorded at the current time. */
  readonly state: string
  readonly onScrub: (at: number) => void
  readonly onGo: (at: number) => void
  /** The camera whose frame is previewed at the pointer; undefined for none. */
  readonly previewed: ((at: number) => string | undefined) | undefined
}

/** The day below the videos: recordings, motion, and the current playback time. */
export function Timeline(props: TimelineProps) {
  const { day, view, viewport, lanes, at, now, mark, setMark, state, onScrub, onGo, previewed } = props
  const { history, partsSeparator } = useTexts('history')
  const locale = useLocale()
  const track = useRef<HTMLDivElement>(null)
  const axis = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(1000)
  const [words, setWords] = useState({ hour: 40, time: 60 })
  const [hover, setHover] = useState<number>()
  const [dragging, setDragging] = useState(false)
  /** Playback time when dragging began. */
  const before = useRef(at)
  const rtl = () => track.current !== null && getComputedStyle(track.current).direction === 'rtl'

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      setWidth(entry.contentRect.width)
      if (axis.current) setWords(widthsOn(axis.current, locale))
    })
    if (track.current) observer.observe(track.current)
    return () => observer.disconnect()
  }, [locale])

  const share = (moment: number) => (moment - view.from) / (view.to - view.from)
  /** Fraction of the track that lies before a screen position. */
  const shareAt = (clientX: number): number => {
    const box = track.current?.getBoundingClientRect()
    if (!box || box.width === 0) return share(at)
    const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width))
    return rtl() ? 1 - part : part
  }
  const momentAt = (clientX: number): number => momentIn(view, shareAt(clientX))
  /** Zooms out (`factor` above 1) or in around a screen position. */
  const zoom = (factor: number, clientX: number) => {
    const anchor = shareAt(clientX)
    viewport((now) => zoomed(now, day, factor, momentIn(now, anchor)))
  }
  const pan = (pixels: number) => {
    const part = (rtl() ? -pixels : pixels) / width
    viewport((now) => panned(now, day, part * (now.to - now.from)))
  }
  const pinched = usePinch({
    onPinch: (factor, clientX, by) => {
      zoom(factor, clientX)
      pan(-by)
    },
  })

  const wheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const sideways = event.shiftKey ? event.deltaY : event.deltaX
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) pan(sideways)
    else zoom(Math.exp(event.deltaY * 0.0025), event.clientX)
  })
  useEffect(() => {
    const element = track.current
    const listen = (event: WheelEvent) => wheel(event)
    // React's own wheel listener is passive and could not keep the page from scrolling.
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  }, [])

  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    if (pinched.down(event)) return cancelDrag()
    event.currentTarget.setPointerCapture(event.pointerId)
    before.current = at
    setDragging(true)
    onScrub(momentAt(event.clientX))
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (pinched.move(event)) return
    const moment = momentAt(event.clientX)
    if (dragging) onScrub(moment)
    setHover(event.pointerType === 'mouse' || dragging ? moment : undefined)
  }
  /** Cancels the drag: it turned out to be a pinch, or scrolling of the page. */
  const cancelDrag = () => {
    if (!dragging) return
    setDragging(false)
    setHover(undefined)
    onGo(before.current)
  }
  const cancel = (event: PointerEvent<HTMLDivElement>) => {
    pinched.up(event)
    cancelDrag()
  }
  const up = (event: PointerEvent<HTMLDivElement>) => {
    pinched.up(event)
    if (!dragging) return
    setDragging(false)
    onGo(momentAt(event.clientX))
    if (event.pointerType !== 'mouse') setHover(undefined)
  }

  const placed = (moment: number) => ({ '--at': share(moment) }) as CSSProperties
  const inView = (moment: number) => moment >= view.from && moment <= view.to
  const ticks = ticksFor(view, width, words)

  const camera = hover === undefined || dragging ? undefined : previewed?.(hover)

  return (
    <div className={classes.timeline} data-dragging={dragging || undefined}>
      <div
        ref={track}
        className={classes.track}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={cancel}
        onPointerLeave={() => setHover(undefined)}
        data-testid="timeline"
      >
        <div className={classes.lanes}>
          {lanes.map(({ name, title, recorded }) => (
            <div key={name} className={classes.row} data-lane={name} data-loading={recorded ? undefined : true}>
              <TimelineLane recorded={recorded} view={view} now={now} />
              {lanes.length > 1 && <span className={classes.name}>{title}</span>}
            </div>
          ))}
        </div>
        {mark && mark.to > view.from && mark.from < view.to && (
          <div
            className={classes.mark}
            style={{ '--from': Math.max(0, share(mark.from)), '--to': Math.min(1, share(mark.to)) } as CSSProperties}
          />
        )}
        <div ref={axis} className={classes.axis} aria-hidden>
          {ticks.at.map((tick, index) => (
            <span
              key={tick}
              className={classes.tick}
              style={placed(tick)}
              data-edge={edgeOf(share(tick), width, ticks.words)}
            >
              {hasRoom(ticks, index, share, width) && (ticks.hourly ? hourText : shortClock)(tick, locale)}
            </span>
          ))}
        </div>
        {inView(now) && <div className={classes.now} style={placed(now)} title={history.now} />}
        {hover !== undefined && !dragging && <div className={classes.hover} style={placed(hover)} />}
        {mark && inView(mark.from) && (
          <Handle
            side="start"
            label={history.markStart}
            at={mark.from}
            day={day}
            style={placed(mark.from)}
            momentAt={momentAt}
            onMove={(moment) => setMark(startingAt(mark, moment, now))}
          />
        )}
        {mark && inView(mark.to) && (
          <Handle
            side="end"
            label={history.markEnd}
            at={mark.to}
            day={day}
            style={placed(mark.to)}
            momentAt={momentAt}
            onMove={(moment) => setMark(endingAt(mark, moment, now))}
          />
        )}
        <div
          role="slider"
          tabIndex={0}
          className={classes.head}
          style={placed(Math.min(Math.max(at, view.from), view.to))}
          aria-label={history.timeline}
          aria-valuemin={Math.round(day.from)}
          aria-valuemax={Math.round(day.to)}
          aria-valuenow={Math.round(Math.min(Math.max(at, day.from), day.to))}
          aria-valuetext={[clockText(at, locale), dateText(at, locale), state].filter(Boolean).join(partsSeparator)}
          data-testid="playhead"
        >
          <span className={classes.knob} />
        </div>
        {hover !== undefined && (
          <div className={classes.bubble} style={placed(hover)} data-testid="preview">
            {camera !== undefined && <HoverPreview camera={camera} at={hover} />}
            <span>{clockText(hover, locale)}</span>
          </div>
        )}
      </div>
    </div>
  )
}

const momentIn = ({ from, to }: TimeRange, share: number): number => from + share * (to - from)

/** Pixels that a label can extend past an end of the axis; must match the style sheet. */
const labelOverhang = 14

/** The end of the axis a label must be aligned to, so that it stays within the page. */
function edgeOf(share: number, width: number, words: number): 'start' | 'end' | undefined {
  if (share * width + labelOverhang < words / 2) return 'start'
  return (1 - share) * width + labelOverhang < words / 2 ? 'end' : undefined
}

/** A label that was moved in from an end of the axis may overlap the next one. */
function hasRoom(ticks: Ticks, index: number, share: (at: number) => number, width: number): boolean {
  const at = ticks.at[index] ?? 0
  const edge = edgeOf(share(at), width, ticks.words)
  const next = ticks.at[edge === 'start' ? index + 1 : index - 1]
  return (
    edge === undefined ||
    next === undefined ||
    Math.abs(share(next) - share(at)) * width > ticks.words * 1.5 - labelOverhang + 8
  )
}

/** Pixel widths of the widest hour label and time label, in the axis' font. */
function widthsOn(axis: HTMLElement, locale: string): { hour: number; time: number } {
  const { fontSize, fontFamily } = getComputedStyle(axis)
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `${fontSize} ${fontFamily}`
  const measured = (text: string) => context?.measureText(text).width ?? text.length * 8
  const late = new Date(2000, 0, 1, 22).getTime() / 1000
  return { hour: measured(hourText(late, locale)), time: measured(shortClock(late, locale)) }
}

interface HandleProps {
  readonly side: 'start' | 'end'
  readonly label: string
  readonly at: number
  readonly day: TimeRange
  readonly style: CSSProperties
  readonly momentAt: (clientX: number) => number
  readonly onMove: (at: number) => void
}

/** One end of the clip. */
function Handle({ side, label, at, day, style, momentAt, onMove }: HandleProps) {
  const locale = useLocale()
  const [dragging, setDragging] = useState(false)

  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.shiftKey ? 60 : 1
    const back = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const by: Readonly<Record<string, number>> = {
      ArrowLeft: back === 'ArrowLeft' ? -step : step,
      ArrowRight: back === 'ArrowLeft' ? step : -step,
      ArrowUp: step,
      ArrowDown: -step,
      PageUp: 60,
      PageDown: -60,
    }
    const moved = by[event.key]
    if (moved === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    // The page's own shortcuts on these keys control the video.
    event.stopPropagation()
    onMove(at + moved)
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
      aria-valuetext={clockText(at, locale)}
      onKeyDown={key}
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
      }}
      onPointerMove={(event) => {
        if (!dragging) return
        event.stopPropagation()
        onMove(momentAt(event.clientX))
      }}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    />
  )
}
