import { useEffect, useRef } from 'react'
import { useEvents, type Heard } from '../events/Events.tsx'
import { cameraPath } from '../live/cameras.ts'
import { ApiError, send } from '../shared/api.ts'

/** Why a camera may be seen no longer. `missing`: there is no such camera any more. */
export type EndOfSight = 'permission' | 'session' | 'missing'

/** Asks whether a camera may be seen no longer; undefined where it may, or nothing answers. */
export async function endOfSight(camera: string): Promise<EndOfSight | undefined> {
  try {
    await send(cameraPath(camera))
    return undefined
  } catch (error) {
    const status = error instanceof ApiError ? error.failure.status : 0
    return status === 401 ? 'session' : status === 403 ? 'permission' : status === 404 ? 'missing' : undefined
  }
}

/** After each of these a camera may be another's: the grant changed, or nobody could have said so for a while. */
const doubts: ReadonlySet<Heard['type']> = new Set(['access', 'up', 'down', 'again', 'recheck'])

/** Tells when a camera may be seen no longer, within a second: what a browser has of a recording would play on otherwise. */
export function useEndOfSight(camera: string, onEnd: (why: EndOfSight) => void): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    shown.current = camera
    return () => {
      shown.current = undefined
    }
  }, [camera])

  const check = async () => {
    const why = await endOfSight(camera)
    // Another camera may be shown by now, or none.
    if (why && shown.current === camera) onEnd(why)
  }
  useEvents(({ type }) => {
    if (doubts.has(type)) void check()
  })
}
