import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import type { RecordingState } from '../../player/recording/recording-state.ts'
import {
  afterEvent,
  boundOf,
  covers,
  leaderOf,
  placeOf,
  playbackFrom,
  type Clock,
  type Place,
  type PlaybackEvent,
  type PlaybackState,
  type Recordings,
} from './playback-state.ts'

/** How to play one camera's video. */
export interface TilePlay {
  readonly place: Place
  readonly playing: boolean
  readonly rate: number
  /** Playback stops here, Unix seconds. */
  readonly to: number
  /** The camera recorded nothing at this time. */
  readonly blank: boolean
}

export interface Playback extends Pick<PlaybackState, 'playing' | 'rate' | 'skipped' | 'caughtUp' | 'scrubbing'> {
  /** The playing video has audio. */
  readonly audio: boolean
  readonly tiles: readonly TilePlay[]
  readonly goTo: (at: number) => void
  readonly scrub: (at: number) => void
  readonly setPlaying: (playing: boolean) => void
  readonly setRate: (rate: number) => void
  readonly onTime: (camera: string, at: number) => void
  readonly onState: (camera: string, state: RecordingState) => void
  readonly onEnd: (camera: string, at: number) => void
}

type Known = Omit<Recordings, 'now'>
interface Happened {
  readonly event: PlaybackEvent
  readonly recordings: Recordings
}

const now = (): number => Date.now() / 1000

/** The state of playback, which determines the day whose recordings {@link usePlayback} needs. */
export const usePlaybackState = (start: () => number) =>
  useReducer(
    (state: PlaybackState, { event, recordings }: Happened) => afterEvent(state, event, recordings),
    start,
    (at) => playbackFrom(at()),
  )

/**
 * Plays the recordings of several cameras in sync. The first camera that recorded the current time leads, and the
 * others follow it. If no camera did, playback continues with the next time any of them recorded.
 */
export function usePlayback([state, dispatch]: ReturnType<typeof usePlaybackState>, known: Known): Playback {
  const { cameras, spans, afterDay } = known
  const send = (event: PlaybackEvent) => dispatch({ event, recordings: { ...known, now: now() } })
  const clocks = useRef(new Map<string, Clock>())

  const resume = useEffectEvent((found: Known['spans'], _afterDay: Known['afterDay']) => {
    if (!found.includes(undefined)) send({ type: 'recordings' })
  })
  useEffect(() => {
    const timer = setTimeout(() => resume(spans, afterDay))
    return () => clearTimeout(timer)
  }, [spans, afterDay])

  const recordings = { ...known, now: now() }
  const covered = cameras.map((_camera, index) => covers(state, recordings, index))
  const coverage = covered.join()
  const cover = useEffectEvent((_coverage: string) => send({ type: 'coverage' }))
  useEffect(() => cover(coverage), [coverage])

  const leader = leaderOf(state, recordings)
  const lead = leader === undefined ? undefined : state.videos.get(leader)
  const { playing, rate, skipped, caughtUp, scrubbing } = state
  return {
    playing,
    rate,
    skipped,
    caughtUp,
    scrubbing,
    audio: lead?.kind === 'shown' && lead.audio,
    tiles: cameras.map((camera, index) => ({
      place: placeOf(state, camera),
      // While the leader loads, no other camera runs ahead.
      playing: playing && !scrubbing && covered[index] === true && (camera === leader || lead?.kind === 'shown'),
      rate: rate * (camera === leader ? 1 : (state.paces.get(camera) ?? 1)),
      to: boundOf(state, recordings, index),
      blank: covered[index] === false,
    })),
    goTo: (at) => send({ type: 'go', at }),
    scrub: (at) => send({ type: 'scrub', at }),
    setPlaying: (next) => send({ type: 'play', playing: next }),
    setRate: (next) => send({ type: 'rate', rate: next }),
    onTime(camera, at) {
      const when = performance.now()
      clocks.current.set(camera, { at, when, place: placeOf(state, camera) })
      // Only the leader's time is shown, and the page renders with each report of it.
      if (camera === leader) send({ type: 'time', camera, at, when, clocks: new Map(clocks.current) })
    },
    onState: (camera, video) => send({ type: 'video', camera, video }),
    onEnd: (camera, at) => send({ type: 'end', camera, at }),
  }
}
