import { useMemo } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { ApiError, fetchJson, send, signedOut } from '../api/api.ts'
import { cameraPath } from '../cameras/queries.ts'
import { socketUrlOf, urlOf } from '../lib/base.ts'
import { canFeed } from '../player/live/media-buffer.ts'
import type { LiveSource, Refusal } from '../player/live/player-types.ts'
import { useLivePlayer, type LivePlayback } from '../player/live/useLivePlayer.ts'

interface LiveProps extends Omit<LivePlayback, 'source' | 'onEnd'> {
  readonly camera: string
}

/**
 * One camera's live video.
 *
 * @returns the ref for the video element, and the state to show
 */
export function useLive({ camera, ...playback }: LiveProps): ReturnType<typeof useLivePlayer> {
  const source = useMemo(() => liveOf(camera), [camera])
  return useLivePlayer({ ...playback, source, onEnd: (reason) => reason === 'session' && signedOut() })
}

const liveOf = (camera: string): LiveSource => ({
  url: socketUrlOf(`${cameraPath(camera)}/live`),
  hls: urlOf(`${cameraPath(camera)}/live/index.m3u8`),
  refusalReason: () => refusalReason(camera, canFeed()),
  camera: () => fetchJson<Camera>(cameraPath(camera)).catch(() => undefined),
})

/** @param overSocket whether the video comes over a WebSocket, whose refusal gives a script no reason. */
async function refusalReason(camera: string, overSocket: boolean): Promise<Refusal> {
  try {
    await send(cameraPath(camera))
    // A plain request opens no stream, but the response names an exceeded limit.
    if (overSocket) await send(`${cameraPath(camera)}/live`)
    return 'unknown'
  } catch (error) {
    if (!(error instanceof ApiError)) return 'unknown'
    const { status } = error.failure
    if (status === 401) return 'session'
    if (status === 429) return { detail: error.message, reason: error.failure.reason }
    return status === 403 || status === 404 ? 'permission' : 'unknown'
  }
}
