import { useEffect, useRef, useState } from 'react'
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
 * @param camera the same one for as long as the component lives
 * @param height pixels, about
 * @param every milliseconds; undefined for one only
 */
export function usePicture(camera: string, height: number, every: number | undefined): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()
  const shown = useRef<string>(undefined)

  useEffect(
    () => () => {
      if (shown.current) URL.revokeObjectURL(shown.current)
      shown.current = undefined
    },
    [],
  )

  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined

    const load = async () => {
      const next = await newest(`${cameraPath(camera)}/latest.jpg?height=${height}`, leave.signal)
      if (leave.signal.aborted) return
      if (next) {
        if (shown.current) URL.revokeObjectURL(shown.current)
        shown.current = next.url
        setPicture(next)
      }
      if (every !== undefined) timer = setTimeout(() => void load(), every)
    }
    void load()

    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [camera, height, every])

  return picture
}

/** undefined where none is held, or it is not ours to see: what stands around the picture says so. */
async function newest(path: string, signal: AbortSignal): Promise<Picture | undefined> {
  try {
    const response = await send(path, { signal })
    const taken = Date.parse(response.headers.get('last-modified') ?? '')
    const picture = await response.blob()
    if (signal.aborted) return undefined
    return { url: URL.createObjectURL(picture), at: Number.isNaN(taken) ? undefined : taken }
  } catch {
    return undefined
  }
}
