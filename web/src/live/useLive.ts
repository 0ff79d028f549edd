import { useEffect, useRef, useState, type RefObject } from 'react'
import { ApiError, send, signedOut } from '../shared/api.ts'
import { socketUrlOf } from '../shared/base.ts'
import { cameraPath } from './cameras.ts'
import { createPlayer, type LiveState } from './player.ts'

/** Milliseconds for which a hidden page keeps playing: long enough to look at something else and come back. */
const grace = 5000

/**
 * One camera's live video, playing while it could be seen.
 *
 * @returns the ref for the video element, and what to tell
 */
export function useLive(
  camera: string,
  enabled: boolean,
  muted: boolean,
): [RefObject<HTMLVideoElement | null>, LiveState] {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<LiveState>({ kind: 'connecting' })

  useEffect(() => {
    const element = video.current
    if (!element || !enabled) return undefined
    setState({ kind: 'connecting' })
    const player = createPlayer({
      video: element,
      url: socketUrlOf(`${cameraPath(camera)}/live`),
      onState: (next) => {
        setState(next)
        if (next.kind === 'ended' && next.why === 'session') signedOut()
      },
      whyRefused: () => whyRefused(camera),
    })

    let onScreen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      clearTimeout(timer)
      if (onScreen && !document.hidden) player.setWanted(true)
      else timer = setTimeout(() => player.setWanted(false), grace)
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        onScreen = entry?.isIntersecting ?? true
        settle()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element)
    document.addEventListener('visibilitychange', settle)

    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('visibilitychange', settle)
      player.stop()
    }
  }, [camera, enabled])

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
