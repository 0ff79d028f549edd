import { useEffect, useState } from 'react'

export interface Rotation {
  /** From 0. */
  readonly page: number
  readonly paused: boolean
  readonly toggle: () => void
  readonly previous: () => void
  readonly next: () => void
}

/** Shows one page after another, unless a person pauses that. */
export function useRotation(pages: number, seconds: number): Rotation {
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(false)
  const page = at % pages
  const go = (step: number) => setAt((page + step + pages) % pages)

  // A page that was chosen by hand stays as long as any other.
  useEffect(() => {
    if (pages < 2 || paused) return undefined
    const timer = setTimeout(() => setAt((page + 1) % pages), seconds * 1000)
    return () => clearTimeout(timer)
  }, [page, pages, paused, seconds])

  return { page, paused, toggle: () => setPaused(!paused), previous: () => go(-1), next: () => go(1) }
}
