import { Button } from '@mantine/core'
import { useDebouncedCallback, useFullscreenElement, useIdle } from '@mantine/hooks'
import { IconBroadcast } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Shortcuts } from '../ui/Shortcuts.tsx'
import { ToolLink } from '../ui/ToolLink.tsx'
import { useDataSaver } from '../playback/data-saver.ts'
import { titleOf } from '../cameras/queries.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { formatDuration, useNow } from '../lib/format-time.ts'
import { useKeys } from '../ui/useKeys.ts'
import { CameraPicker } from './CameraPicker.tsx'
import { dateText } from './clock-text.ts'
import { dayAround, startOf, sameTimeOn, type TimeRange } from '../lib/day.ts'
import { DayPicker } from './DayPicker.tsx'
import { written } from './history-search.ts'
import { HistoryGrid } from './HistoryGrid.tsx'
import classes from './HistoryPage.module.css'
import { endingAt, markAround, startingAt } from './mark.ts'
import { ClipPanel } from './ClipPanel.tsx'
import { NothingRecorded } from './NothingRecorded.tsx'
import { nextMotion, previousMotion, spanAt } from './spans.ts'
import { Timeline } from './Timeline.tsx'
import { historyKeys } from './history-keys.ts'
import { rates, Transport } from './Transport.tsx'
import { usePlayback, usePlaybackState } from './usePlayback.ts'
import { dayBeside, useRecorded, useRecordedDays } from './useRecorded.ts'
import { firstView, narrowest, showing, zoomed, type Looked } from './view.ts'

interface HistoryProps {
  /** The cameras the user can see. */
  readonly all: readonly Camera[]
  /** The chosen cameras; at least one. */
  readonly cameras: readonly Camera[]
  /** How many times the user lost a camera and got it back. */
  readonly returnsOf: (name: string) => number
  readonly single: boolean
  /** Unix seconds; undefined starts at `recently`. */
  readonly start: number | undefined
  readonly onChoose: (names: readonly string[], at: string) => void
  /** The user went to this time and stayed for `urlDelay`. */
  readonly onAt: (at: string) => void
  /** The permission for a camera has ended. */
  readonly onEnded: (camera: string) => void
}

/** Direction of time on the screen: 1 is left to right. */
const timeDirection = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)

/** Seconds before now at which playback starts if no time is given. */
const recently = 60
/** Milliseconds between two frames while a finger moves over the timeline. */
const scrubEvery = 120
/** Milliseconds without input after which the controls over a full-screen video hide. */
const idleTimeout = 3000
/** Milliseconds without a change before the URL is updated to the current time. */
const urlDelay = 700

export function History({ all, cameras, returnsOf, single, start, onChoose, onAt, onEnded }: HistoryProps) {
  const texts = useTexts('history', 'shortcuts')
  const { history } = texts
  const locale = useLocale()
  const now = useNow(5000) / 1000
  const names = useMemo(() => cameras.map(({ name }) => name), [cameras])
  const playback = usePlaybackState(() => Math.min(start ?? Number.POSITIVE_INFINITY, Date.now() / 1000 - recently))
  const [{ at }] = playback
  const dayStart = dayAround(at).from
  const day = useMemo(() => dayAround(dayStart), [dayStart])
  const isToday = now >= day.from && now < day.to
  const recorded = useRecorded(names, day, isToday)
  const spans = useMemo(() => recorded.map((each) => each?.spans), [recorded])
  const [month, setMonth] = useState(day.from)
  const shownDays = useRecordedDays(
    names,
    useMemo(() => dayAround(month), [month]),
  )
  const days = useRecordedDays(names, day)
  const [chosen, setLooked] = useState<Looked>()
  const begun = spans.flatMap((each) => each?.[0]?.start ?? [])
  const looked = chosen ?? { view: firstView(day, begun.length > 0 ? Math.min(...begun) : undefined, now), away: false }
  const view = showing(looked, day, at)
  const viewport = (change: (view: TimeRange) => TimeRange) =>
    setLooked((was = looked) => {
      const next = change(showing(was, day, at))
      return { view: next, away: at < next.from || at > next.to }
    })
  const [mark, setMark] = useState<TimeRange>()
  const [muted, setMuted] = useState(true)
  const [low] = useDataSaver()
  const { ref: whole, toggle: toggleFullScreen, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const idle = useIdle(idleTimeout, { initialState: false })

  const dayAfter = days && dayBeside(days, day.from, 1)
  const play = usePlayback(playback, {
    cameras: names,
    spans,
    day,
    afterDay: days === undefined ? day.to : dayAfter === undefined ? undefined : startOf(dayAfter),
  })
  const empty = spans.length > 0 && spans.every((each) => each?.length === 0)
  const notifyAt = useDebouncedCallback((moment: number) => onAt(written(moment)), urlDelay)
  const go = (moment: number) => {
    setLooked({ view, away: false })
    play.goTo(moment)
    notifyAt(Math.min(moment, Date.now() / 1000))
  }
  const scrubbedAt = useRef(0)
  const scrub = (moment: number) => {
    const when = performance.now()
    if (when - scrubbedAt.current < scrubEvery) return
    scrubbedAt.current = when
    play.scrub(moment)
  }
  const motions = recorded.flatMap((each) => (each ? [each.motion] : []))
  const zoom = (factor: number) =>
    viewport((now) => zoomed(now, day, factor, looked.away ? (now.from + now.to) / 2 : at))
  const toNow = () => go(Date.now() / 1000 - 5)
  const toggle = () => play.setPlaying(empty || !play.playing)
  const faster = (step: 1 | -1) =>
    play.setRate(rates[rates.findIndex((each) => each === play.rate) + step] ?? play.rate)
  const frame = (step: 1 | -1) => {
    play.goTo(at + step / (cameras[0]?.fps || 25))
    play.setPlaying(false)
  }
  const toMotion = (step: 1 | -1) => {
    const moment = step > 0 ? nextMotion(motions, at) : previousMotion(motions, at)
    if (moment !== undefined) go(moment)
  }
  const beginMark = (ends: Partial<TimeRange> = {}) => {
    setMark({ ...markAround(at, now), ...ends })
    // With a whole day in view, the two ends of the clip would overlap.
    if (view.to - view.from > 6 * narrowest) viewport((shown) => zoomed(shown, day, 0, at))
  }
  const markFrom = () => (mark ? setMark(startingAt(mark, at, now)) : beginMark({ from: Math.round(at) }))
  const markTo = () => (mark ? setMark(endingAt(mark, at, now)) : beginMark({ to: Math.round(at) }))
  const toDay = (name: string | undefined) => {
    const begin = name === undefined ? undefined : startOf(name)
    if (begin !== undefined) go(begin)
  }
  const toggleMark = () => (mark ? setMark(undefined) : beginMark())

  useKeys({
    ArrowLeft: () => go(at - 5 * timeDirection()),
    ArrowRight: () => go(at + 5 * timeDirection()),
    'Shift+ArrowLeft': () => go(at - 60 * timeDirection()),
    'Shift+ArrowRight': () => go(at + 60 * timeDirection()),
    j: () => go(at - 10),
    l: () => go(at + 10),
    ' ': toggle,
    k: toggle,
    ',': () => frame(-1),
    '.': () => frame(1),
    n: () => toMotion(1),
    p: () => toMotion(-1),
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    i: markFrom,
    o: markTo,
    // Shortcuts only: these keys are hard to find on some keyboards.
    '[': markFrom,
    ']': markTo,
    '<': () => faster(-1),
    '>': () => faster(1),
    m: () => setMuted(!muted),
    f: () => void toggleFullScreen(),
    Home: () => go(day.from),
    End: () => go(Math.min(day.to - 5, Date.now() / 1000 - 5)),
    ...(mark && { Escape: () => setMark(undefined) }),
  })

  const title = cameras.length === 1 && cameras[0] ? titleOf(cameras[0]) : history.cameras({ count: cameras.length })
  const somethingThere = spans.some((each) => each === undefined || spanAt(each, at))

  return (
    <div className={classes.page} data-history data-playing={play.playing || undefined}>
      <PageTitle of={`${texts.menu.history} · ${title}`} />
      <h1 className="visually-hidden">{`${texts.menu.history}: ${title}, ${dateText(at, locale)}`}</h1>
      {cameras.length === 1 && cameras[0] && (
        <ToolLink
          icon={IconBroadcast}
          label={texts.label({ what: texts.menu.live }) + title}
          link={{ to: '/cameras/$camera', params: { camera: names[0] ?? '' } }}
        >
          {texts.menu.live}
        </ToolLink>
      )}
      <Shortcuts of={historyKeys(texts.shortcuts)} />
      <div className={classes.bar}>
        <CameraPicker cameras={all} chosen={names} single={single} onChoose={(next) => onChoose(next, written(at))} />
        <div className={classes.when}>
          <DayPicker
            at={at}
            now={now}
            recorded={new Set([...(days ?? []), ...(shownDays ?? [])])}
            onStep={(step) => go(sameTimeOn(at, step))}
            onDay={(name) => {
              const begin = startOf(name)
              // Keeps the time of day.
              if (begin !== undefined) go(begin + (at - day.from))
            }}
            onMonth={setMonth}
          />
          <Button variant="subtle" h={44} px={12} onClick={toNow}>
            {history.now}
          </Button>
        </div>
      </div>
      <div className={classes.whole} ref={whole} data-alone={(fullscreen && idle && play.playing) || undefined}>
        <div className={classes.stage}>
          {empty && !play.scrubbing ? (
            <NothingRecorded
              day={day}
              isToday={isToday}
              cameras={cameras}
              before={days && dayBeside(days, day.from, -1)}
              after={dayAfter}
              onDay={toDay}
            />
          ) : (
            <HistoryGrid
              cameras={cameras}
              returnsOf={returnsOf}
              at={at}
              tiles={play.tiles}
              muted={muted}
              play={play}
              onEnded={onEnded}
            />
          )}
        </div>
        <div className={classes.below}>
          <div className={classes.news} role="status">
            {play.skipped !== undefined && (
              <span>{history.skipped({ lasting: formatDuration(Math.round(play.skipped), locale) })}</span>
            )}
            {play.caughtUp && !empty && <span>{isToday ? history.caughtUp : history.noMore}</span>}
          </div>
          <Transport
            at={at}
            playing={play.playing && !empty}
            rate={play.rate}
            muted={play.sound ? muted : undefined}
            marking={mark !== undefined}
            fullscreen={fullscreen}
            mayZoomIn={view.to - view.from > narrowest}
            mayZoomOut={view.to - view.from < day.to - day.from}
            act={{
              toggle,
              step: (seconds) => go(at + seconds),
              motion: toMotion,
              rate: play.setRate,
              mute: () => setMuted(!muted),
              zoom,
              mark: toggleMark,
              fullScreen: document.fullscreenEnabled ? () => void toggleFullScreen() : undefined,
            }}
          />
          <Timeline
            day={day}
            view={view}
            viewport={viewport}
            lanes={cameras.map((camera, index) => ({
              name: camera.name,
              title: titleOf(camera),
              recorded: recorded[index],
            }))}
            at={at}
            now={now}
            mark={mark}
            setMark={setMark}
            state={somethingThere ? '' : history.nothingHere}
            onScrub={scrub}
            onGo={go}
            previewed={low.on ? undefined : (moment) => names[spans.findIndex((each) => each && spanAt(each, moment))]}
          />
          {mark && (
            <ClipPanel cameras={cameras} mark={mark} now={now} setMark={setMark} onClose={() => setMark(undefined)} />
          )}
        </div>
      </div>
    </div>
  )
}
