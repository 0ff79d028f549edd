import { closeCodes } from '../../../server/src/shared/with-web/close-codes.ts'

/** Seconds that the service keeps a connection open if a proxy signs the user in; null if there is no limit. */
let interval: number | null = null

/** Set from the profile, before any connection opens. */
export const setRecheckInterval = (seconds: number | null): void => {
  interval = seconds
}

/**
 * Milliseconds until the next connection is opened: before the service ends this one, and spread out so that a page's
 * connections don't renew together.
 */
export const renewAfter = (seconds: number, chance: number): number => seconds * 1000 * (0.6 + 0.25 * chance)

/**
 * `renewed`: the connection replaces one that was open until now, so no message was missed. `reopened`: the service ended
 * the last one before, so messages in between were missed.
 */
export type Opening = 'first' | 'renewed' | 'reopened'

export interface RenewedSocketProps {
  readonly url: URL
  /** When the next connection replaces the current one. */
  readonly takesOver: 'when-open' | 'at-first-message'
  readonly onOpen: (opening: Opening) => void
  readonly onMessage: (data: unknown) => void
  /** The socket closed and nothing replaces it. `opened`: it had been open. */
  readonly onClose: (code: number, opened: boolean) => void
  /** The next connection was refused while the current one is still open; a socket doesn't report why. */
  readonly onDoubt: () => void
}

export interface RenewedSocket {
  readonly isOpen: boolean
  /** Closes the socket; no callback is called anymore. */
  close(): void
}

/** A WebSocket that reopens through the proxy before the service ends it, so that no message is missed (PROXY-18). */
export function openRenewedSocket(props: RenewedSocketProps): RenewedSocket {
  const { url, takesOver, onOpen, onMessage, onClose, onDoubt } = props
  let current: WebSocket | undefined
  let next: WebSocket | undefined
  let renewal: ReturnType<typeof setTimeout> | undefined

  const renewLater = () => {
    clearTimeout(renewal)
    if (interval !== null) renewal = setTimeout(renew, renewAfter(interval, Math.random()))
  }
  const renew = () => {
    if (!next) next = open()
  }
  const takeOver = (from: WebSocket) => {
    const old = current
    current = from
    next = undefined
    old?.close(1000)
    onOpen('renewed')
  }

  let isFirst = true
  const open = (): WebSocket => {
    const mine = new WebSocket(url)
    mine.binaryType = 'arraybuffer'
    let opened = false
    mine.addEventListener('open', () => {
      opened = true
      if (mine === current) onOpen(isFirst ? 'first' : 'reopened')
      else if (mine === next && takesOver === 'when-open') takeOver(mine)
      isFirst = false
    })
    mine.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (mine === next) takeOver(mine)
      if (mine === current) onMessage(data)
    })
    mine.addEventListener('close', ({ code }) => {
      if (mine === next) {
        next = undefined
        return onDoubt()
      }
      if (mine !== current) return
      if (code === closeCodes.recheck && next?.readyState === WebSocket.OPEN) return takeOver(next)
      if (code === closeCodes.recheck && opened) {
        current = next ?? open()
        next = undefined
        return
      }
      clearTimeout(renewal)
      current = undefined
      next?.close(1000)
      next = undefined
      onClose(code, opened)
    })
    renewLater()
    return mine
  }
  current = open()

  return {
    get isOpen() {
      return current?.readyState === WebSocket.OPEN
    },
    close() {
      clearTimeout(renewal)
      const [old, late] = [current, next]
      current = undefined
      next = undefined
      old?.close(1000)
      late?.close(1000)
    },
  }
}
