import { useEffect, useState, type RefObject } from 'react'
import { beginsWithAudio, rememberAudio } from './audio-choice.ts'

interface AudioChoice {
  readonly muted: boolean
  readonly setMuted: (muted: boolean) => void
  /** The user's own choice, which the next video begins with. */
  readonly toggle: () => void
}

/** Whether a camera's video is muted. */
export function useAudio(): AudioChoice {
  const [muted, setMuted] = useState(() => !beginsWithAudio())
  const toggle = () => {
    rememberAudio(muted)
    setMuted(!muted)
  }
  return { muted, setMuted, toggle }
}

/** Follows a video: a browser that doesn't allow audio yet mutes it again. */
export function useAudioOf(video: RefObject<HTMLVideoElement | null>, { setMuted }: AudioChoice): void {
  useEffect(() => {
    const element = video.current
    const follow = () => element && setMuted(element.muted)
    element?.addEventListener('volumechange', follow)
    return () => element?.removeEventListener('volumechange', follow)
  }, [video, setMuted])
}
