import type { OpenedLink } from '../../../server/src/api-types.ts'
import { ApiError, jsonOf, send, sendJson } from '../api/api.ts'
import { socketUrlOf, urlOf } from '../lib/base.ts'
import { takeSecret } from './link-secret.ts'

/** Everything that a link shows is served below this path, for which its cookie counts. */
export const linkPath = (id: string): string => `api/links/${encodeURIComponent(id)}`

const filePathOf = (id: string): string => `${linkPath(id)}/video.mp4`

/** URL of the shared video as a file. */
export const fileOf = (id: string): string => urlOf(filePathOf(id)).href

/** Asks whether the shared video is there. @throws ApiError if not */
export const requestFile = (id: string, signal: AbortSignal) =>
  send(filePathOf(id), { method: 'HEAD', signal, signingIn: true })

/** URL of the WebSocket that is open as long as the link shows something. */
export const eventsOf = (id: string): URL => socketUrlOf(`${linkPath(id)}/events`)

/** Path of the playlist of the shared range. */
export const playlistPath = (id: string): string => `${linkPath(id)}/playback/index.m3u8`

/** Milliseconds for which the page waits for the service's response. */
const timeout = 30_000

/** Exchanges the secret for the link's cookie. @throws ApiError if the link is refused, 401 also if there is no secret */
export async function openLink(id: string, code: string | undefined, signal: AbortSignal): Promise<OpenedLink> {
  const secret = takeSecret()
  if (secret === undefined) throw new ApiError('', { status: 401 })
  const body = { secret, ...(code !== undefined && { code }) }
  const call = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]), signingIn: true }
  return jsonOf(sendJson('POST /api/links/:id/open', { id }, body, call))
}
