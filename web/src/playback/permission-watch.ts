import { ApiError, send } from '../shared/api.ts'
import { socketUrlOf } from '../shared/base.ts'
import { cameraPath } from '../live/cameras.ts'
import { backoff } from '../live/live-edge.ts'
import { openRenewedSocket, type RenewedSocket } from '../shared/renewed-socket.ts'

/** Why a camera may be seen no longer. `missing`: there is no such camera any more. */
export type EndOfSight = 'permission' | 'session' | 'missing'

/** Close codes of ours. */
const codes: Readonly<Record<number, EndOfSight>> = { 4401: 'session', 4403: 'permission', 4404: 'missing' }

/**
 * Tells when a camera may be seen no longer, within a second: what a browser has of a recording would play on otherwise.
 * The service closes a socket of the camera's events when that happens.
 *
 * @returns a function that ends the watch
 */
export function watchPermission(camera: string, onEnd: (why: EndOfSight) => void): () => void {
  let socket: RenewedSocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let over = false

  const end = (why: EndOfSight) => {
    if (over) return
    stop()
    onEnd(why)
  }
  const stop = () => {
    over = true
    clearTimeout(retry)
    socket?.close()
  }
  const connect = () => {
    if (over) return
    socket = openRenewedSocket({
      url: socketUrlOf(`api/events?cameras=${encodeURIComponent(camera)}`),
      takesOver: 'when-open',
      onOpen: () => {
        failures = 0
      },
      onMessage: () => {},
      onDoubt: () => void endIfOver(),
      onClose: (code) => {
        const why = codes[code]
        if (why) end(why)
        else void tryLater()
      },
    })
  }
  const endIfOver = async () => {
    const why = await endOfSight(camera)
    if (why) end(why)
  }
  /** One that was refused before it opened does not say why. */
  const tryLater = async () => {
    await endIfOver()
    if (!over) retry = setTimeout(connect, backoff(failures++, Math.random()))
  }
  connect()
  return stop
}

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
