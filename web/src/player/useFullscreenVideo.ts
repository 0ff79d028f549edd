import { useFullscreenElement } from '@mantine/hooks'
import type { RefObject } from 'react'

/** Lets the element around a video fill the screen, or, on iPhones, the video itself. */
export function useFullscreenVideo(video: RefObject<HTMLVideoElement | null>) {
  const { ref: stage, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const toggleFullscreen = () => {
    const element: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null = video.current
    if (!document.fullscreenEnabled && element?.webkitEnterFullscreen) element.webkitEnterFullscreen()
    else void toggle()
  }
  return { stage, fullscreen, toggleFullscreen }
}
