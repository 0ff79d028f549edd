import { useEffect, useState, type RefObject } from 'react'
import { beginsWithSound, rememberSound } from './sound-choice.ts'

interface Sound {
  readonly muted: boolean
  readonly setMuted: (muted: boolean) => void
  /** The user's own choice, which the next video begins with. */
  readonly toggle: () => void
}

/** Whether a camera's video is muted. */
export function useSound(): Sound {
  const [muted, setMuted] = useState(() => !beginsWithSound())
  const toggle = () => {
    rememberSound(muted)
    setMuted(!muted)
  }
  return { muted, setMuted, toggle }
}

/** Follows a video: a browser that doesn't allow audio yet mutes it again. */
export function useSoundOf(video: RefObject<HTMLVideoElement | null>, { setMuted }: Sound): void {
  useEffect(() => {
    const element = video.current
    const follow = () => element && setMuted(element.muted)
    element?.addEventListener('volumechange', follow)
    return () => element?.removeEventListener('volumechange', follow)
  }, [video, setMuted])
}
