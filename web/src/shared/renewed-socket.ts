/** The service closes a connection with it when the proxy that signed the user in has to be asked again. */
const recheck = 4408

/** Seconds that a connection is left open where a proxy signs the user in; null: as long as it likes. */
let interval: number | null = null

/** The profile says it, before anything is connected. */
export const setRecheckInterval = (seconds: number | null): void => {
  interval = seconds
}

/**
 * Milliseconds until the next connection is opened: before the service ends this one, and not at the same moment for
 * all that a page has open.
 */
export const renewAfter = (seconds: number, chance: number): number => seconds * 1000 * (0.6 + 0.25 * chance)

export interface RenewedSocketProps {
  readonly url: URL
  /** What the next connection waits for before it takes the place of this one. */
  readonly takesOver: 'when-open' | 'at-first-message'
  /** `again`: in place of one that was open before. */
  readonly onOpen: (again: boolean) => void
  readonly onMessage: (data: unknown) => void
  /** It is closed, and nothing is in its place. `opened`: it was open before. */
  readonly onClose: (code: number, opened: boolean) => void
  /** The next connection was refused while this one is still open; a socket does not say why. */
  readonly onDoubt: () => void
}

export interface RenewedSocket {
  readonly isOpen: boolean
  /** Nothing is called any more. */
  close(): void
}

/** A WebSocket that is opened again, through the proxy, before its time is up, so that nothing is missed (PROXY-18). */
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
    if (!next) next = open(true)
  }
  const takeOver = (from: WebSocket) => {
    const old = current
    current = from
    next = undefined
    old?.close(1000)
    onOpen(true)
  }

  const open = (again: boolean): WebSocket => {
    const mine = new WebSocket(url)
    mine.binaryType = 'arraybuffer'
    let opened = false
    mine.addEventListener('open', () => {
      opened = true
      if (mine === current) onOpen(again)
      else if (mine === next && takesOver === 'when-open') takeOver(mine)
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
      if (code === recheck && next) return takeOver(next)
      if (code === recheck && opened) {
        current = open(true)
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
  current = open(false)

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
