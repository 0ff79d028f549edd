import { useEffect, useRef } from 'react'
import { useEvents, type LineEvent } from '../events/Events.tsx'
import { cameraPath } from '../cameras/queries.ts'
import { ApiError, send } from '../api/api.ts'
import type { AccessLoss } from '../player/recording/recording-state.ts'

/** Asks the service whether the user lost a camera; undefined if not, or if the service does not respond. */
export async function accessLoss(camera: string): Promise<AccessLoss | undefined> {
  try {
    await send(cameraPath(camera))
    return undefined
  } catch (error) {
    const status = error instanceof ApiError ? error.failure.status : 0
    return status === 401 ? 'session' : status === 403 ? 'permission' : status === 404 ? 'missing' : undefined
  }
}

/** Events after which access may have changed: the grant changed, or changes may have gone unnoticed. */
const accessEvents: ReadonlySet<LineEvent['type']> = new Set(['access', 'up', 'down', 'again', 'recheck'])

/** Reports within a second that a camera can no longer be seen. Without that, buffered video would play on. */
export function useAccessLoss(camera: string, onEnd: (reason: AccessLoss) => void): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    shown.current = camera
    return () => {
      shown.current = undefined
    }
  }, [camera])

  const check = async () => {
    const reason = await accessLoss(camera)
    // Another camera may be shown by now, or none.
    if (reason && shown.current === camera) onEnd(reason)
  }
  useEvents(({ type }) => {
    if (accessEvents.has(type)) void check()
  })
}
