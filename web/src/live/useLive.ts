import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { ApiError, send, signedOut } from '../shared/api.ts'
import { socketUrlOf } from '../shared/base.ts'
import { cameraPath } from './cameras.ts'
import { createPlayer, type LiveState, type Player } from './player.ts'

interface LiveParts {
  readonly camera: string
  /** Whether to play at all. */
  readonly enabled: boolean
  /** Whether somebody could see it; what nobody sees costs nothing. */
  readonly seen: boolean
  readonly muted: boolean
}

/**
 * One camera's live video.
 *
 * @returns the ref for the video element, and what to tell
 */
export function useLive({ camera, enabled, seen, muted }: LiveParts): [RefObject<HTMLVideoElement | null>, LiveState] {
  const player = useRef<Player>(undefined)
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<LiveState>({ kind: 'connecting' })

  const seenNow = useEffectEvent(() => seen)

  useEffect(() => {
    const element = video.current
    if (!element || !enabled) return undefined
    setState({ kind: 'connecting' })
    const mine = createPlayer({
      video: element,
      url: socketUrlOf(`${cameraPath(camera)}/live`),
      onState: (next) => {
        setState(next)
        if (next.kind === 'ended' && next.why === 'session') signedOut()
      },
      whyRefused: () => whyRefused(camera),
    })
    player.current = mine
    mine.setWanted(seenNow())
    return () => {
      player.current = undefined
      mine.stop()
    }
  }, [camera, enabled])

  useEffect(() => player.current?.setWanted(seen), [seen])

  useEffect(() => {
    // As an attribute it would be only the default; and without a touch before it browsers allow no sound.
    if (video.current) video.current.muted = muted
  }, [muted])

  return [video, state]
}

async function whyRefused(camera: string): Promise<'permission' | 'session' | 'unknown'> {
  try {
    await send(cameraPath(camera))
    return 'unknown'
  } catch (error) {
    if (!(error instanceof ApiError)) return 'unknown'
    const { status } = error.failure
    if (status === 401) return 'session'
    return status === 403 || status === 404 ? 'permission' : 'unknown'
  }
}
