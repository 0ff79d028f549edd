import { useEffect, useState } from 'react'
import { send } from '../shared/api.ts'
import { cameraPath } from './cameras.ts'

/** The newest picture that the service holds of a camera. */
export interface Picture {
  readonly url: string
  /** Unix milliseconds; undefined where the service did not say. */
  readonly at: number | undefined
}

/**
 * Keeps a picture of a camera at hand: the first at once, then every so often.
 *
 * @param height pixels, about
 * @param every milliseconds; undefined for one only
 */
export function usePicture(camera: string, height: number, every: number | undefined): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()

  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let shown: string | undefined

    const load = async () => {
      try {
        const response = await send(`${cameraPath(camera)}/latest.jpg?height=${height}`, { signal: leave.signal })
        const taken = Date.parse(response.headers.get('last-modified') ?? '')
        const url = URL.createObjectURL(await response.blob())
        if (leave.signal.aborted) return URL.revokeObjectURL(url)
        if (shown) URL.revokeObjectURL(shown)
        shown = url
        setPicture({ url, at: Number.isNaN(taken) ? undefined : taken })
      } catch {
        // None is held, or it is not ours to see: what stands around it says so.
      }
      if (every !== undefined && !leave.signal.aborted) timer = setTimeout(() => void load(), every)
    }
    void load()

    return () => {
      leave.abort()
      clearTimeout(timer)
      if (shown) URL.revokeObjectURL(shown)
      setPicture(undefined)
    }
  }, [camera, height, every])

  return picture
}
