import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RecordingState } from '../playback/recording-player.ts'
import type { TimeRange } from './day.ts'
import { anyRecordedFrom, rounding, spanAt, type Span } from './spans.ts'

export interface PlaybackProps {
  readonly cameras: readonly string[]
  /** Each camera's recordings of the day, in the same order; undefined while loading. */
  readonly spans: readonly (readonly Span[] | undefined)[]
  /** The day that contains the current time. */
  readonly day: TimeRange
  readonly at: number
  readonly setAt: (at: number) => void
  /** The first time after the day that may have recordings; undefined if none does. */
  readonly afterDay: () => number | undefined
}

/** How to play one camera's video. */
export interface TilePlay {
  readonly place: { readonly at: number }
  readonly playing: boolean
  readonly rate: number
  /** Playback stops here, Unix seconds. */
  readonly to: number
  /** The camera recorded nothing at this time. */
  readonly blank: boolean
}

export interface Playback {
  readonly playing: boolean
  readonly rate: number
  /** Seconds that playback just skipped because nothing was recorded. */
  readonly skipped: number | undefined
  /** Everything has been played, up to now. */
  readonly caughtUp: boolean
  /** The playing video has audio. */
  readonly sound: boolean
  /** The user is dragging on the timeline. */
  readonly scrubbing: boolean
  readonly tiles: readonly TilePlay[]
  readonly goTo: (at: number) => void
  /** Follows the drag, over gaps too. */
  readonly scrub: (at: number) => void
  readonly setPlaying: (playing: boolean) => void
  readonly setRate: (rate: number) => void
  readonly onTime: (camera: string, at: number) => void
  readonly onState: (camera: string, state: RecordingState) => void
  readonly onEnd: (camera: string, at: number) => void
}

/** Seconds two videos can differ before one jumps (`apart`), and before its rate changes (`near`). */
const apart = 0.8
const near = 0.15
/** Seconds before the end of the day or before now within which it is unknown what follows. */
const open = 45
/** Seconds between two recordings that do not count as a gap. */
const seam = 0.4
/** Seconds skipped from which the user is notified. */
const minNotifiedSkip = 2

const seconds = (): number => Date.now() / 1000

/**
 * Plays the recordings of several cameras in sync. The first camera that recorded the current time leads, and the
 * others follow it. If no camera did, playback continues with the next time any of them recorded.
 */
export function usePlayback({ cameras, spans, day, at, setAt, afterDay }: PlaybackProps): Playback {
  const [playing, setPlaying] = useState(true)
  const [rate, setRate] = useState(1)
  const [places, setPlaces] = useState<ReadonlyMap<string, { readonly at: number }>>(new Map())
  const [common, setCommon] = useState({ at })
  const [states, setStates] = useState<ReadonlyMap<string, RecordingState>>(new Map())
  const [pace, setPace] = useState<ReadonlyMap<string, number>>(new Map())
  const [skipped, setSkipped] = useState<number>()
  const [caughtUp, setCaughtUp] = useState(false)
  /** Where to continue once the recordings of the next day are known. */
  const [pending, setPending] = useState<number>()
  const [scrubbing, setScrubbing] = useState(false)
  const clocks = useRef(new Map<string, { at: number; when: number }>())

  const isOut = (camera: string) =>
    ['ended', 'unsupported', 'broken', 'gone'].includes(states.get(camera)?.kind ?? 'waiting')
  const covers = (index: number) => {
    const known = spans[index]
    return known === undefined || spanAt(known, at) !== undefined
  }
  const leader = cameras.find((camera, index) => !isOut(camera) && covers(index)) ?? cameras[0]
  const lead = leader === undefined ? undefined : states.get(leader)

  const boundOf = (index: number): number => {
    const known = spans[index]
    const span = known && spanAt(known, at)
    // The recording may continue past the part that is known.
    if (!span || span.end > day.to - open || span.end > seconds() - open) return Number.POSITIVE_INFINITY
    return span.end
  }

  const place = (moment: number) => {
    setCaughtUp(false)
    setPending(undefined)
    clocks.current.clear()
    setPace(new Map())
    setPlaces(new Map())
    setCommon({ at: moment })
    setAt(moment)
  }
  const known = spans.filter((each) => each !== undefined)
  const complete = known.length === spans.length

  /** Continues with the next recorded time, from a time that no camera recorded. */
  const continueFrom = (from: number, message: number) => {
    const next = anyRecordedFrom(known, from)
    if (next !== undefined) {
      if (next - message > minNotifiedSkip) setSkipped(next - message)
      place(next)
      return
    }
    const later = afterDay()
    if (later === undefined || later > seconds()) {
      setCaughtUp(true)
      return
    }
    setAt(Math.max(later, day.to))
    setPending(message)
  }

  const resume = useEffectEvent((found: PlaybackProps['spans']) => {
    if (found.includes(undefined)) return
    if (pending !== undefined) continueFrom(Math.max(day.from, pending + seam), pending)
    else if (caughtUp && playing) {
      const next = anyRecordedFrom(known, at + 0.5)
      if (next !== undefined) place(next)
    }
  })
  useEffect(() => {
    const timer = setTimeout(() => resume(spans))
    return () => clearTimeout(timer)
  }, [spans])

  /** A camera whose recordings begin while the others play joins them. */
  const coverage = cameras.map((_camera, index) => covers(index)).join()
  const join = useEffectEvent((before: readonly string[]) => {
    const joined = cameras.filter((camera, index) => camera !== leader && before[index] === 'false' && covers(index))
    if (joined.length > 0) setPlaces((all) => new Map([...all, ...joined.map((camera) => [camera, { at }] as const)]))
  })
  const covered = useRef(coverage)
  useEffect(() => {
    join(covered.current.split(','))
    covered.current = coverage
  }, [coverage])

  /** A camera's current playback time, extrapolated from its last report. */
  const clockOf = (camera: string, when: number) => {
    const clock = clocks.current.get(camera)
    return clock && clock.at + (playing ? ((when - clock.when) / 1000) * rate : 0)
  }
  const keepTogether = (moment: number, when: number) => {
    for (const [index, camera] of cameras.entries()) {
      if (camera === leader || !covers(index) || states.get(camera)?.kind !== 'shown') continue
      const clock = clockOf(camera, when)
      if (clock === undefined) continue
      const ahead = (clock - moment) / Math.max(1, rate)
      const requested = Math.abs(ahead) < near ? 1 : ahead > 0 ? 0.93 : 1.07
      if (Math.abs(ahead) > apart) {
        clocks.current.delete(camera)
        setPlaces((all) => new Map([...all, [camera, { at: moment + 0.2 * rate }]]))
      } else if ((pace.get(camera) ?? 1) !== requested) setPace((all) => new Map([...all, [camera, requested]]))
    }
  }

  return {
    playing,
    rate,
    skipped,
    caughtUp,
    scrubbing,
    sound: lead?.kind === 'shown' && lead.sound,
    tiles: cameras.map((camera, index) => ({
      place: places.get(camera) ?? common,
      // While the leader loads, no other camera runs ahead.
      playing: playing && !scrubbing && covers(index) && (camera === leader || lead?.kind === 'shown'),
      rate: rate * (camera === leader ? 1 : (pace.get(camera) ?? 1)),
      to: boundOf(index),
      blank: !covers(index),
    })),
    goTo(moment) {
      setScrubbing(false)
      setSkipped(undefined)
      const requested = Math.min(Math.max(0, moment), seconds())
      const inside = requested >= day.from && requested < day.to
      const next = inside && complete && playing ? anyRecordedFrom(known, requested) : requested
      if (next !== undefined && next - requested > minNotifiedSkip) setSkipped(next - requested)
      place(next ?? requested)
    },
    scrub(moment) {
      setScrubbing(true)
      setSkipped(undefined)
      place(Math.min(Math.max(0, moment), seconds()))
    },
    setPlaying(next) {
      setPlaying(next)
      setSkipped(undefined)
      // From a time that no camera recorded, playback starts with the next recording.
      if (next && complete && !cameras.some((_camera, index) => covers(index))) continueFrom(at, at)
    },
    setRate,
    onTime(camera, moment) {
      const when = performance.now()
      clocks.current.set(camera, { at: moment, when })
      if (camera !== leader || scrubbing) return
      const bound = boundOf(cameras.indexOf(camera))
      if (playing && complete && moment >= bound - rounding) return continueFrom(bound + seam, bound)
      setAt(moment)
      setCaughtUp(false)
      keepTogether(moment, when)
    },
    onState: (camera, state) => setStates((all) => new Map([...all, [camera, state]])),
    onEnd(camera, moment) {
      if (camera !== leader || scrubbing || !playing || pending !== undefined) return
      // The recordings of the day may not be loaded yet.
      if (complete) continueFrom(moment + seam, moment)
      else setPending(moment)
    },
  }
}
