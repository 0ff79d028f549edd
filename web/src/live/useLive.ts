import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { ApiError, fetchJson, send, signedOut } from '../api/api.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { socketUrlOf, urlOf } from '../lib/base.ts'
import { cameraPath } from '../cameras/queries.ts'
import { canFeed } from './media-buffer.ts'
import { muteVideo } from '../playback/muting.ts'
import type { LiveState, Player, PlayerProps, Refusal } from './player-types.ts'
import { createPlayer } from './mse-player.ts'

interface LiveProps {
  readonly camera: string
  /** Whether to play at all. */
  readonly enabled: boolean
  /** Whether the user can see the video; a video that is out of view is not fetched. */
  readonly seen: boolean
  readonly muted: boolean
}

/** The state of a video that does not play, regardless of its player's last report. */
const notPlaying: LiveState = { kind: 'paused' }

/**
 * One camera's live video.
 *
 * @returns the ref for the video element, and the state to show
 */
export function useLive({ camera, enabled, seen, muted }: LiveProps): [RefObject<HTMLVideoElement | null>, LiveState] {
  const player = useRef<Player>(undefined)
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<LiveState>({ kind: 'connecting' })

  const seenNow = useEffectEvent(() => seen)

  useEffect(() => {
    const element = video.current
    if (!element || !enabled) return undefined
    setState({ kind: 'connecting' })
    const create = canFeed() ? createPlayer : createLazyPlayer
    const mine = create({
      video: element,
      url: socketUrlOf(`${cameraPath(camera)}/live`),
      hls: urlOf(`${cameraPath(camera)}/live/index.m3u8`),
      onState: (next) => {
        setState(next)
        if (next.kind === 'ended' && next.reason === 'session') signedOut()
      },
      refusalReason: () => refusalReason(camera, canFeed()),
      camera: () => fetchJson<Camera>(cameraPath(camera)).catch(() => undefined),
    })
    player.current = mine
    mine.setWanted(seenNow())
    return () => {
      player.current = undefined
      mine.stop()
      setState({ kind: 'connecting' })
    }
  }, [camera, enabled])

  useEffect(() => player.current?.setWanted(seen), [seen])

  useEffect(() => (video.current ? muteVideo(video.current, muted) : undefined), [muted])

  return [video, enabled ? state : notPlaying]
}

/** The player for browsers without Media Source Extensions, loaded on demand. */
function createLazyPlayer(props: PlayerProps): Player {
  let player: Player | undefined
  let requested = false
  let stopped = false
  const load = async () => {
    try {
      const { createHlsPlayer } = await import('./hls-player.ts')
      if (stopped) return
      player = createHlsPlayer(props)
      player.setWanted(requested)
    } catch {
      props.onState({ kind: 'lost' })
    }
  }
  void load()
  return {
    setWanted(next) {
      requested = next
      player?.setWanted(next)
    },
    stop() {
      stopped = true
      player?.stop()
    },
  }
}

/** @param overSocket whether the video comes over a WebSocket, whose refusal gives a script no reason. */
async function refusalReason(camera: string, overSocket: boolean): Promise<Refusal> {
  try {
    await send(cameraPath(camera))
    // A plain request opens no stream, but the response names an exceeded limit.
    if (overSocket) await send(`${cameraPath(camera)}/live`)
    return 'unknown'
  } catch (error) {
    if (!(error instanceof ApiError)) return 'unknown'
    const { status } = error.failure
    if (status === 401) return 'session'
    if (status === 429) return { detail: error.message, reason: error.failure.reason }
    return status === 403 || status === 404 ? 'permission' : 'unknown'
  }
}
