import { backoff } from '../live/live-edge.ts'
import type { ServiceEvent } from '../shared/api-types.ts'
import { openRenewedSocket, type RenewedSocket } from '../shared/renewed-socket.ts'

/** What the line is, and who is told. */
export interface EventLineProps {
  readonly url: URL
  readonly onEvent: (event: ServiceEvent) => void
  /** `again`: it was open before, and what happened meanwhile nobody heard. */
  readonly onUp: (again: boolean) => void
  /** Another connection took its place: of what one may see, something may have changed between them. */
  readonly onRenewed: () => void
  readonly onDown: () => void
  readonly onSessionEnded: () => void
  /** It was closed or refused, and the service may have its reasons; a socket tells few. */
  readonly onDoubt: () => void
}

/** Close codes of ours: the session ended, the permission did. */
const codes = { session: 4401, permission: 4403 } as const
/** Milliseconds that a page is hidden before it stops listening. */
const hiddenFor = 300_000
/** Milliseconds of being open after which earlier failures are forgotten. */
const steady = 10_000

/**
 * Listens to what happens, until stopped, whatever happens to connection and page.
 *
 * @returns stops it
 */
export function openEventLine(props: EventLineProps): () => void {
  const { url, onEvent, onUp, onRenewed, onDown, onSessionEnded, onDoubt } = props
  let socket: RenewedSocket | undefined
  let failures = 0
  let heardBefore = false
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
      onOpen: (again) => {
        openedAt = Date.now()
        // In place of one that was open until now: nothing was missed.
        if (again) onRenewed()
        else onUp(heardBefore)
        heardBefore = true
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
        if (code === codes.session) return sessionEnded()
        if (openedAt > 0 && Date.now() - openedAt > steady) failures = 0
        // Asked once for each trouble: with the service away every try would be one more call that fails.
        if (code === codes.permission || (openedAt === 0 && failures === 0)) onDoubt()
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
    // What plays in a window of its own is seen still, and is to end with its permission.
    if (document.pictureInPictureElement) hiding = setTimeout(rest, hiddenFor)
    else close()
  }
  const onOnline = () => {
    // One that was open may be dead without knowing.
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

/** One frame of the socket; undefined for what we do not know. */
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
