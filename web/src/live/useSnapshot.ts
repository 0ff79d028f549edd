import { useEffect, useRef, useState } from 'react'
import { ApiError, send } from '../shared/api.ts'
import { cameraPath } from './cameras.ts'
import { takenAt } from './taken-at.ts'

/** The newest picture that the service holds of a camera. */
export interface Picture {
  readonly url: string
  /** Unix milliseconds by this browser's clock, right or wrong; undefined where the service did not say. */
  readonly at: number | undefined
  /** Where it was asked for, and as which version. */
  readonly path: string
  readonly etag: string | undefined
}

export interface PictureProps {
  /** The same one for as long as the component lives. */
  readonly camera: string
  /** Pixels, about. */
  readonly height: number
  /** Milliseconds; undefined for one only. */
  readonly every: number | undefined
  /** Whether somebody could see it. */
  readonly seen?: boolean
}

/** Keeps a picture of a camera at hand while it is seen: the first at once, then every so often. */
export function useSnapshot({ camera, height, every, seen = true }: PictureProps): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()
  const shown = useRef<Picture>(undefined)

  useEffect(
    () => () => {
      if (shown.current) URL.revokeObjectURL(shown.current.url)
      shown.current = undefined
    },
    [],
  )

  useEffect(() => {
    if (!seen) return undefined
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined

    const load = async (first: boolean) => {
      const path = `${cameraPath(camera)}/latest.jpg?height=${height}`
      const next = await newest(path, shown.current, leave.signal)
      if (leave.signal.aborted) return
      if (next !== 'same') {
        if (shown.current) URL.revokeObjectURL(shown.current.url)
        shown.current = next
        setPicture(next)
      }
      // The tiles of a grid begin together, and are not to go on so.
      if (every !== undefined)
        timer = setTimeout(() => void load(false), first ? every * (0.5 + Math.random() / 2) : every)
    }
    void load(true)

    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [camera, height, every, seen])

  return picture
}

/** `same`: what is shown is still the newest. undefined: it is not ours to see any more. */
async function newest(
  path: string,
  shown: Picture | undefined,
  signal: AbortSignal,
): Promise<Picture | 'same' | undefined> {
  try {
    const before = shown?.path === path ? shown.etag : undefined
    const response = await send(path, { signal, ifNoneMatch: before })
    if (response.status === 304) return 'same'
    const jpeg = await response.blob()
    if (signal.aborted) return 'same'
    const etag = response.headers.get('etag') ?? undefined
    return { url: URL.createObjectURL(jpeg), at: takenAt(response.headers, Date.now()), path, etag }
  } catch (error) {
    // Where none is held, or nothing answers, the last one stays.
    const refused = error instanceof ApiError && [401, 403, 404].includes(error.failure.status)
    return refused ? undefined : 'same'
  }
}
