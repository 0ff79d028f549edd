import { useDebouncedCallback } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { startOf } from '../../lib/day.ts'
import { useNow } from '../../lib/useNow.ts'
import { oldestFor, useMe } from '../../session/session.ts'
import { isoTime } from '../history-search.ts'
import { nextMotion, previousMotion } from '../recorded/spans.ts'
import { useClip } from './useClip.ts'
import { usePlayback, usePlaybackState } from './usePlayback.ts'
import { useRecordedDay } from '../recorded/useRecordedDay.ts'
import { useTimelineView } from './useTimelineView.ts'
import { firstView, narrowest, zoomed } from './view.ts'

interface HistoryPlayerProps {
  readonly cameras: readonly Camera[]
  /** Unix seconds; undefined starts at `recently`. */
  readonly start: number | undefined
  /** The user went to this time and stayed for `urlDelay`. */
  readonly onAt: (at: string) => void
}

export type HistoryPlayer = ReturnType<typeof useHistoryPlayer>

/** Playback rates. */
export const rates = [0.5, 1, 2, 4, 8, 16] as const

/** Seconds before now at which playback starts if no time is given. */
const recently = 60
/** Milliseconds between two frames while a finger moves over the timeline. */
const scrubInterval = 120
/** Milliseconds without a change before the URL is updated to the current time. */
const urlDelay = 700

/** The state of the History page, and what its buttons, its timeline and its shortcuts do. */
export function useHistoryPlayer({ cameras, start, onAt }: HistoryPlayerProps) {
  const me = useMe()
  const now = useNow(5000) / 1000
  const oldest = oldestFor(me, now)
  const names = useMemo(() => cameras.map(({ name }) => name), [cameras])
  const playback = usePlaybackState(() =>
    Math.max(oldest ?? 0, Math.min(start ?? Number.POSITIVE_INFINITY, Date.now() / 1000 - recently)),
  )
  const [{ at }] = playback
  const recorded = useRecordedDay(names, at, now, oldest)
  const { day, spans, isEmpty } = recorded
  const play = usePlayback(playback, { cameras: names, spans, day, afterDay: recorded.nextStart })
  const timeline = useTimelineView(day, at, firstView(day, firstStart(spans), now))
  const clip = useClip(at, now, () => {
    // With a whole day in view, the two ends of the clip would overlap.
    const { view, change } = timeline
    if (view.to - view.from > 6 * narrowest) change((shown) => zoomed(shown, day, 0, at))
  })

  const notifyAt = useDebouncedCallback((moment: number) => onAt(isoTime(moment)), urlDelay)
  const go = (to: number) => {
    const moment = Math.max(oldest ?? 0, to)
    timeline.follow()
    play.goTo(moment)
    notifyAt(Math.min(moment, Date.now() / 1000))
  }
  const scrubbedAt = useRef(0)
  const scrub = (moment: number) => {
    const when = performance.now()
    if (when - scrubbedAt.current < scrubInterval) return
    scrubbedAt.current = when
    play.scrub(moment)
  }
  const motions = recorded.recorded.flatMap((each) => (each ? [each.motion] : []))
  return {
    cameras,
    names,
    now,
    oldest,
    at,
    recorded,
    play,
    timeline,
    clip,
    go,
    scrub,
    goToNow: () => go(Date.now() / 1000 - 5),
    goToDayEnd: () => go(Math.min(day.to, Date.now() / 1000) - 5),
    goToDay(name: string) {
      const begin = startOf(name)
      if (begin !== undefined) go(begin)
    },
    goToMotion(step: 1 | -1) {
      const moment = step > 0 ? nextMotion(motions, at) : previousMotion(motions, at)
      if (moment !== undefined) go(moment)
    },
    stepFrame(step: 1 | -1) {
      play.goTo(at + step / (cameras[0]?.fps || 25))
      play.setPlaying(false)
    },
    toggle: () => play.setPlaying(isEmpty || !play.playing),
    stepRate: (step: 1 | -1) => play.setRate(rates[rates.findIndex((each) => each === play.rate) + step] ?? play.rate),
  }
}

/** When the day's first recording began; undefined if there is none, or if that's unknown. */
function firstStart(spans: readonly (readonly { readonly start: number }[] | undefined)[]): number | undefined {
  const starts = spans.flatMap((each) => each?.[0]?.start ?? [])
  return starts.length > 0 ? Math.min(...starts) : undefined
}
