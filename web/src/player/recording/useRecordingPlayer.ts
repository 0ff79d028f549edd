import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { muteVideo } from '../muting.ts'
import { createRecordingPlayer, type RecordingPlayer, type RecordingSource } from './recording-player.ts'
import type { AccessLoss, RecordingState } from './recording-state.ts'

/** What to play, and how. */
export interface RecordingPlayback {
  /** Another object begins again. */
  readonly source: RecordingSource
  /** Unix seconds; playback stays within `from` and `to`. */
  readonly from: number
  readonly to: number
  /** Where to seek, Unix seconds. Each new object seeks, even to the same time. */
  readonly place: { readonly at: number }
  readonly playing: boolean
  /** 1 is the original speed. */
  readonly rate?: number
  readonly muted?: boolean
  /** The current playback time, several times per second. */
  readonly onTime?: (at: number) => void
  readonly onState?: (state: RecordingState) => void
  /** Nothing more to play from here: `to` is reached, or nothing was recorded for half an hour. */
  readonly onEnd?: (at: number) => void
  /** Shows a single frame, fetches no more than that takes, and displays no messages. */
  readonly preview?: boolean
}

/** Plays recordings. @returns the refs for the video and for its last frame, the state to show, and a way to end it */
export function useRecordingPlayer(playback: RecordingPlayback) {
  const { source, from, to, place, playing, rate = 1, muted = true, onTime, onState, onEnd, preview = false } = playback
  const video = useRef<HTMLVideoElement>(null)
  const still = useRef<HTMLCanvasElement>(null)
  const player = useRef<RecordingPlayer>(undefined)
  const [state, setState] = useState<RecordingState>({ kind: 'waiting' })

  const bounds = useEffectEvent(() => ({ from, to }))
  const notifyState = useEffectEvent((next: RecordingState) => {
    setState(next)
    onState?.(next)
  })
  const notifyTime = useEffectEvent((at: number) => onTime?.(at))
  const notifyEnd = useEffectEvent((at: number) => onEnd?.(at))
  const begin = useEffectEvent((mine: RecordingPlayer) => {
    mine.setRate(rate)
    mine.setPlaying(playing)
    mine.goTo(place.at)
  })

  useEffect(() => {
    if (!video.current || !still.current) return undefined
    setState({ kind: 'waiting' })
    const mine = createRecordingPlayer({
      video: video.current,
      still: still.current,
      source,
      sparing: preview,
      bounds: () => bounds(),
      onState: (next) => notifyState(next),
      onTime: (at) => notifyTime(at),
      onEnd: (at) => notifyEnd(at),
    })
    begin(mine)
    player.current = mine
    return () => {
      player.current = undefined
      mine.stop()
    }
  }, [source, preview])

  const first = useRef(place)
  useEffect(() => {
    if (first.current !== place) player.current?.goTo(place.at)
    first.current = place
  }, [place])
  useEffect(() => player.current?.setPlaying(playing), [playing])
  useEffect(() => player.current?.setRate(rate), [rate])
  useEffect(() => (video.current ? muteVideo(video.current, muted) : undefined), [muted])

  return { video, still, state, end: (reason: AccessLoss) => player.current?.end(reason) }
}
