import { closeCodes } from '../../../server/src/shared/with-web/close-codes.ts'
import { backoff } from '../lib/backoff.ts'
import type { ServiceEvent } from '../../../server/src/api-types.ts'
import { openRenewedSocket, type RenewedSocket } from '../api/renewed-socket.ts'

/** The connection's URL and callbacks. */
export interface EventLineProps {
  readonly url: URL
  readonly onEvent: (event: ServiceEvent) => void
  /** `again`: it was open before, and events in between were missed. */
  readonly onUp: (again: boolean) => void
  /** A new connection replaced the open one: access may have changed in between. */
  readonly onRenewed: () => void
  readonly onDown: () => void
  readonly onSessionEnded: () => void
  /** The connection was closed or refused, possibly because access ended; a socket gives few reasons. */
  readonly onDoubt: () => void
}

/** Milliseconds a page is hidden before the connection is closed. */
const hiddenFor = 300_000
/** Milliseconds open after which earlier failures are forgotten. */
const steady = 10_000

/**
 * Receives events until stopped. Reconnects after a failure, and when a hidden page is shown again.
 *
 * @returns a function that closes the connection
 */
export function openEventLine(props: EventLineProps): () => void {
  const { url, onEvent, onUp, onRenewed, onDown, onSessionEnded, onDoubt } = props
  let socket: RenewedSocket | undefined
  let failures = 0
  let wasOpen = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    clearTimeout(retry)
    const old = socket
    socket = undefined
    old?.close()
    if (old) onDown()
  }

  const sessionEnded = () => {
    stop()
    onSessionEnded()
  }

  const connect = () => {
    close()
    let openedAt = 0
    socket = openRenewedSocket({
      url,
      takesOver: 'when-open',
      onOpen: (opening) => {
        openedAt = Date.now()
        if (opening === 'renewed') onRenewed()
        else onUp(wasOpen)
        wasOpen = true
      },
      onMessage: (data) => {
        const event = eventFrom(data)
        if (event === 'session-ended') sessionEnded()
        else if (event) onEvent(event)
      },
      onDoubt,
      onClose: (code) => {
        socket = undefined
        onDown()
        if (code === closeCodes.unauthenticated) return sessionEnded()
        if (openedAt > 0 && Date.now() - openedAt > steady) failures = 0
        // Once per outage: while the service is unavailable, every retry would be one more failing call.
        if (code === closeCodes.forbidden || (openedAt === 0 && failures === 0)) onDoubt()
        retry = setTimeout(connect, backoff(failures, Math.random()))
        failures += 1
      },
    })
  }

  const onVisibility = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') hiding = setTimeout(rest, hiddenFor)
    else if (!socket) connect()
  }
  const rest = () => {
    // Picture-in-picture stays visible and must end with its permission.
    if (document.pictureInPictureElement) hiding = setTimeout(rest, hiddenFor)
    else close()
  }
  const onOnline = () => {
    // A connection that looks open may be dead.
    if (document.visibilityState !== 'hidden') connect()
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)

  function stop() {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    clearTimeout(hiding)
    close()
  }

  connect()
  return stop
}

const types: readonly unknown[] = ['camera', 'review', 'export', 'seen', 'access'] satisfies ServiceEvent['type'][]

/** Parses one frame of the socket; undefined if the frame is unknown. */
export function eventFrom(data: unknown): ServiceEvent | 'session-ended' | undefined {
  if (typeof data !== 'string') return undefined
  try {
    const frame: unknown = JSON.parse(data)
    if (typeof frame !== 'object' || frame === null || !('type' in frame)) return undefined
    if (frame.type === 'session-ended') return frame.type
    return types.includes(frame.type) ? (frame as ServiceEvent) : undefined
  } catch {
    return undefined
  }
}
