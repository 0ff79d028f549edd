import { useRef, type CSSProperties } from 'react'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { useDataSaver } from '../../playback/data-saver.ts'
import { endingAt, startingAt } from '../player/clip.ts'
import { ClipHandle } from './ClipHandle.tsx'
import { dateText } from '../clock-text.ts'
import { HoverPreview } from './HoverPreview.tsx'
import { spanAt } from '../recorded/spans.ts'
import classes from './Timeline.module.css'
import { TimelineAxis } from './TimelineAxis.tsx'
import { TimelineLane } from './TimelineLane.tsx'
import type { HistoryPlayer } from '../player/useHistoryPlayer.ts'
import { useTimelineGestures } from './useTimelineGestures.ts'
import { shareOf } from '../player/view.ts'
import { timeOfDay } from '../../lib/format-time.ts'

interface TimelineProps {
  readonly player: HistoryPlayer
}

/** The day below the videos: recordings, motion, and the current playback time. */
export function Timeline({ player }: TimelineProps) {
  const { at, now, timeline, scrub, go } = player
  const { day } = player.recorded
  const { view } = timeline
  const { history } = useTexts('history')
  const track = useRef<HTMLDivElement>(null)
  const { handlers, hover, isDragging, momentAt } = useTimelineGestures({
    track,
    day,
    view,
    at,
    onView: timeline.change,
    onScrub: scrub,
    onGo: go,
  })
  const placed = (moment: number) => ({ '--at': shareOf(view, moment) }) as CSSProperties

  return (
    <div className={classes.timeline} data-dragging={isDragging || undefined}>
      <div ref={track} className={classes.track} {...handlers} data-testid="timeline">
        <Lanes player={player} />
        <ClipRange player={player} />
        <TimelineAxis view={view} />
        {now >= view.from && now <= view.to && <div className={classes.now} style={placed(now)} title={history.now} />}
        {hover !== undefined && !isDragging && <div className={classes.hover} style={placed(hover)} />}
        <ClipHandles player={player} momentAt={momentAt} />
        <Playhead player={player} />
        {hover !== undefined && (
          <HoverBubble player={player} at={hover} hasPreview={!isDragging} style={placed(hover)} />
        )}
      </div>
    </div>
  )
}

function Lanes({ player: { cameras, recorded, timeline, now } }: TimelineProps) {
  return (
    <div className={classes.lanes}>
      {cameras.map((camera, index) => {
        const ofCamera = recorded.recorded[index]
        return (
          <div
            key={camera.name}
            className={classes.row}
            data-lane={camera.name}
            data-loading={ofCamera || recorded.error ? undefined : true}
          >
            <TimelineLane recorded={ofCamera} view={timeline.view} now={now} />
            {cameras.length > 1 && <span className={classes.name}>{titleOf(camera)}</span>}
          </div>
        )
      })}
    </div>
  )
}

function ClipRange({ player: { clip, timeline } }: TimelineProps) {
  const { view } = timeline
  const { range } = clip
  if (!range || range.to <= view.from || range.from >= view.to) return null
  const style = { '--from': Math.max(0, shareOf(view, range.from)), '--to': Math.min(1, shareOf(view, range.to)) }
  return <div className={classes.mark} style={style as CSSProperties} />
}

interface ClipHandlesProps extends TimelineProps {
  readonly momentAt: (clientX: number) => number
}

function ClipHandles({ player: { clip, timeline, recorded, now }, momentAt }: ClipHandlesProps) {
  const { history } = useTexts('history')
  const { view } = timeline
  const { range } = clip
  if (!range) return null
  const ends = [
    { side: 'start', label: history.markStart, at: range.from, moved: startingAt },
    { side: 'end', label: history.markEnd, at: range.to, moved: endingAt },
  ] as const
  return ends
    .filter(({ at }) => at >= view.from && at <= view.to)
    .map(({ side, label, at, moved }) => (
      <ClipHandle
        key={side}
        side={side}
        label={label}
        at={at}
        day={recorded.day}
        style={{ '--at': shareOf(view, at) } as CSSProperties}
        momentAt={momentAt}
        onMove={(moment) => clip.set(moved(range, moment, now))}
      />
    ))
}

/** The current playback time, as a slider that names it. */
function Playhead({ player: { at, recorded, timeline } }: TimelineProps) {
  const { history, partsSeparator } = useTexts('history')
  const locale = useLocale()
  const { day, spans } = recorded
  const { view } = timeline
  const isRecorded = spans.some((each) => each === undefined || spanAt(each, at))
  const isAway = recorded.recorded.some((each) => each && spanAt(each.unavailable, at))
  const state = isRecorded ? [] : [isAway ? history.unavailableHere : history.nothingHere]
  const words = [timeOfDay(at, locale), dateText(at, locale), ...state]
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.head}
      style={{ '--at': shareOf(view, Math.min(Math.max(at, view.from), view.to)) } as CSSProperties}
      aria-label={history.timeline}
      aria-valuemin={Math.round(day.from)}
      aria-valuemax={Math.round(day.to)}
      aria-valuenow={Math.round(Math.min(Math.max(at, day.from), day.to))}
      aria-valuetext={words.join(partsSeparator)}
      data-testid="playhead"
    >
      <span className={classes.knob} />
    </div>
  )
}

interface HoverBubbleProps extends TimelineProps {
  readonly at: number
  readonly hasPreview: boolean
  readonly style: CSSProperties
}

/** The time at the pointer, with a frame of the first camera that recorded it. */
function HoverBubble({ player: { names, recorded }, at, hasPreview, style }: HoverBubbleProps) {
  const locale = useLocale()
  const [low] = useDataSaver()
  const camera = names[recorded.spans.findIndex((each) => each && spanAt(each, at))]
  return (
    <div className={classes.bubble} style={style} data-testid="preview">
      {hasPreview && !low.on && camera !== undefined && <HoverPreview camera={camera} at={at} />}
      <span>{timeOfDay(at, locale)}</span>
    </div>
  )
}
