import { useEffect, useState } from 'react'

export interface AutoFullscreen {
  readonly possible: boolean
  readonly active: boolean
  readonly toggle: () => void
}

/** Fills the screen at the first click or key, which browsers require, and after that only when asked to. */
export function useAutoFullscreen(): AutoFullscreen {
  const [active, setActive] = useState(() => document.fullscreenElement !== null)

  useEffect(() => {
    const follow = () => setActive(document.fullscreenElement !== null)
    const leave = new AbortController()
    const first = (event: Event) => {
      leave.abort()
      // A button does what it says, and Tab only moves the focus.
      const isElsewhere = !(event.target instanceof Element && event.target.closest('button'))
      if (isElsewhere && !(event instanceof KeyboardEvent && event.key !== 'Enter')) void enter()
    }
    document.addEventListener('fullscreenchange', follow)
    // An iPhone fills its screen with nothing but a video, and has no method for it.
    if (document.fullscreenEnabled) {
      for (const type of ['click', 'keydown']) document.addEventListener(type, first, { signal: leave.signal })
    }
    return () => {
      leave.abort()
      document.removeEventListener('fullscreenchange', follow)
    }
  }, [])

  return {
    possible: document.fullscreenEnabled,
    active,
    toggle: () => void (active ? document.exitFullscreen() : enter()),
  }
}

const enter = (): Promise<void> => document.documentElement.requestFullscreen().catch(() => undefined)
