import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { createHlsPlayer } from './hls-player.ts'
import { canFeed } from './media-buffer.ts'
import { createPlayer } from './mse-player.ts'
import { muteVideo } from '../muting.ts'
import type { LiveSource, LiveState, Player } from './player-types.ts'

/** What to play, and how. */
export interface LivePlayback {
  /** Another object begins again. */
  readonly source: LiveSource
  /** Whether to play at all. */
  readonly enabled: boolean
  /** Whether the user can see the video; a video that is out of view is not fetched. */
  readonly seen: boolean
  readonly muted: boolean
  /** The permission or the session ended. */
  readonly onEnd?: (reason: 'permission' | 'session') => void
}

/** The state of a video that does not play, regardless of its player's last report. */
const notPlaying: LiveState = { kind: 'paused' }

/**
 * Plays live video.
 *
 * @returns the ref for the video element, and the state to show
 */
export function useLivePlayer(playback: LivePlayback): [RefObject<HTMLVideoElement | null>, LiveState] {
  const { source, enabled, seen, muted, onEnd } = playback
  const player = useRef<Player>(undefined)
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<LiveState>({ kind: 'connecting' })

  const seenNow = useEffectEvent(() => seen)
  const notifyState = useEffectEvent((next: LiveState) => {
    setState(next)
    if (next.kind === 'ended') onEnd?.(next.reason)
  })

  useEffect(() => {
    const element = video.current
    if (!element || !enabled) return undefined
    setState({ kind: 'connecting' })
    const create = canFeed() ? createPlayer : createHlsPlayer
    const mine = create({ ...source, video: element, onState: (next) => notifyState(next) })
    player.current = mine
    mine.setWanted(seenNow())
    return () => {
      player.current = undefined
      mine.stop()
      setState({ kind: 'connecting' })
    }
  }, [source, enabled])

  useEffect(() => player.current?.setWanted(seen), [seen])

  useEffect(() => (video.current ? muteVideo(video.current, muted) : undefined), [muted])

  return [video, enabled ? state : notPlaying]
}
