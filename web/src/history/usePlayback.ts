import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RecordingState } from '../playback/recording-player.ts'
import type { TimeRange } from './day.ts'
import { anyRecordedFrom, rounding, spanAt, type Span } from './spans.ts'

export interface PlaybackProps {
  readonly cameras: readonly string[]
  /** What each recorded on the day, in the same order; undefined until it is known. */
  readonly spans: readonly (readonly Span[] | undefined)[]
  /** Of the moment that is seen. */
  readonly day: TimeRange
  readonly at: number
  readonly setAt: (at: number) => void
  /** The first moment after the day that may hold more; undefined where it is known that none does. */
  readonly afterDay: () => number | undefined
}

/** How one camera's picture is to play. */
export interface TilePlay {
  readonly place: { readonly at: number }
  readonly playing: boolean
  readonly rate: number
  /** It plays no further. */
  readonly to: number
  /** Nothing was recorded at this moment. */
  readonly blank: boolean
}

export interface Playback {
  readonly playing: boolean
  readonly rate: number
  /** Seconds that were skipped just now, since nothing was recorded. */
  readonly skipped: number | undefined
  /** All has been played, up to the present. */
  readonly caughtUp: boolean
  /** What plays has sound. */
  readonly sound: boolean
  /** A finger is on the timeline. */
  readonly scrubbing: boolean
  readonly tiles: readonly TilePlay[]
  readonly goTo: (at: number) => void
  /** Follows a finger: over gaps too. */
  readonly scrub: (at: number) => void
  readonly setPlaying: (playing: boolean) => void
  readonly setRate: (rate: number) => void
  readonly onTime: (camera: string, at: number) => void
  readonly onState: (camera: string, state: RecordingState) => void
  readonly onEnd: (camera: string, at: number) => void
}

/** Seconds that two pictures may differ by before one is moved, and before one is slowed or hurried. */
const apart = 0.8
const near = 0.15
/** Seconds before the end of a day or of the present within which it is not known what follows. */
const open = 45
/** Seconds between two pieces that are none. */
const seam = 0.4
/** Seconds skipped that are worth a word. */
const worthSaying = 2

const seconds = (): number => Date.now() / 1000

/**
 * Plays several cameras' recordings as one: the first that recorded a moment leads, the others are kept beside it.
 * Where none did, it goes on with the next moment that one of them recorded.
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
  /** From where to go on once it is known what the next day holds. */
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
    // It may go on behind what is known.
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

  /** Goes on with the next moment that was recorded, from one where nothing plays. */
  const goOn = (from: number, message: number) => {
    const next = anyRecordedFrom(known, from)
    if (next !== undefined) {
      if (next - message > worthSaying) setSkipped(next - message)
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
    if (pending !== undefined) goOn(Math.max(day.from, pending + seam), pending)
    else if (caughtUp && playing) {
      const next = anyRecordedFrom(known, at + 0.5)
      if (next !== undefined) place(next)
    }
  })
  useEffect(() => {
    const timer = setTimeout(() => resume(spans))
    return () => clearTimeout(timer)
  }, [spans])

  /** One that begins to have recorded what is seen joins in. */
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

  /** Where a camera is by now, told some moments ago. */
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
      // Nobody runs ahead of the one that leads while it fetches something.
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
      if (next !== undefined && next - requested > worthSaying) setSkipped(next - requested)
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
      // From a moment that nobody recorded it begins with the next.
      if (next && complete && !cameras.some((_camera, index) => covers(index))) goOn(at, at)
    },
    setRate,
    onTime(camera, moment) {
      const when = performance.now()
      clocks.current.set(camera, { at: moment, when })
      if (camera !== leader || scrubbing) return
      const bound = boundOf(cameras.indexOf(camera))
      if (playing && complete && moment >= bound - rounding) return goOn(bound + seam, bound)
      setAt(moment)
      setCaughtUp(false)
      keepTogether(moment, when)
    },
    onState: (camera, state) => setStates((all) => new Map([...all, [camera, state]])),
    onEnd(camera, moment) {
      if (camera !== leader || scrubbing || !playing || pending !== undefined) return
      // What the day holds may be known only later.
      if (complete) goOn(moment + seam, moment)
      else setPending(moment)
    },
  }
}
