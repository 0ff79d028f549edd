import type { LiveNotice } from '../../../server/src/cameras/camera.ts'
import type { ReasonShown } from '../shared/api-types.ts'
import { backoff } from './live-edge.ts'
import { canPlay, createMediaBuffer, type MediaBuffer } from './media-buffer.ts'

/** What a viewer may be told of a live picture. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'playing'; readonly sound: boolean }
  | { readonly kind: 'offline'; readonly detail?: string | undefined; readonly reason?: ReasonShown | undefined }
  /** Pictures, one after the other: it is not played here. */
  | { readonly kind: 'pictures' }
  /** No connection, or one that went silent; it is being tried again. */
  | { readonly kind: 'lost' }
  /** Nobody looks: the page is hidden. */
  | { readonly kind: 'paused' }
  /** The browser cannot play this video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'ended'; readonly why: 'permission' | 'session' }

export interface PlayerParts {
  readonly video: HTMLVideoElement
  readonly url: URL
  readonly onState: (state: LiveState) => void
  /** A connection was refused before it opened: finds out why, since a socket does not say. */
  readonly whyRefused: () => Promise<'permission' | 'session' | 'unknown'>
}

export interface Player {
  /** Whether anybody could see it; it begins with the first who does. */
  setWanted(wanted: boolean): void
  stop(): void
}

/** Close codes of ours: the session ended, the permission did. */
const codes = { session: 4401, permission: 4403 } as const
/** Milliseconds without a byte from a camera that is not offline, after which the connection counts as dead. */
const silence = 25_000
/** Milliseconds without a new picture after which a viewer is told. */
const stall = 6000
/** Milliseconds of playing after which earlier failures are forgotten. */
const steady = 10_000

/** Plays one camera's live view into a video element, until stopped, whatever happens to connection, camera and page. */
export function createPlayer({ video, url, onState, whyRefused }: PlayerParts): Player {
  let socket: WebSocket | undefined
  let buffer: MediaBuffer | undefined
  let state: LiveState = { kind: 'connecting' }
  let wanted = false
  let over = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let heardAt = 0
  let movedAt = 0
  let playingSince = 0
  let sound = false

  const tell = (next: LiveState) => {
    const same =
      next.kind === state.kind &&
      (next.kind !== 'offline' || (state.kind === 'offline' && next.detail === state.detail)) &&
      next.kind !== 'playing'
    state = next
    if (!same && !over) onState(next)
  }

  const disconnect = () => {
    clearTimeout(retry)
    buffer?.stop()
    buffer = undefined
    const old = socket
    socket = undefined
    old?.close(1000)
  }

  const end = (why: 'permission' | 'session') => {
    disconnect()
    tell({ kind: 'ended', why })
    over = true
  }

  const tryLater = () => {
    disconnect()
    if (over || !wanted) return
    tell({ kind: 'lost' })
    retry = setTimeout(connect, backoff(failures, Math.random()))
    failures += 1
  }

  const start = (mime: string) => {
    buffer?.stop()
    buffer = undefined
    sound = /mp4a|opus|ac-3|flac/i.test(mime)
    if (!canPlay(mime)) return tell({ kind: 'unsupported' })
    tell({ kind: 'connecting' })
    buffer = createMediaBuffer(video, mime, tryLater)
    play()
  }

  const play = () => {
    video.play().catch((error: unknown) => {
      // Where the source is replaced meanwhile, the next data retries. Where sound wants a touch first: without it.
      if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      video.play().catch(() => {})
    })
  }

  const onText = (text: string) => {
    const message = frameFrom(text)
    if (message?.mime !== undefined) start(message.mime)
    else if (message?.state === 'offline') {
      buffer?.stop()
      buffer = undefined
      failures = 0
      tell({ kind: 'offline', detail: message.detail, reason: message.reason })
    }
  }

  function connect() {
    disconnect()
    if (over || !wanted) return
    if (state.kind !== 'lost' && state.kind !== 'offline') tell({ kind: 'connecting' })
    const mine = new WebSocket(url)
    mine.binaryType = 'arraybuffer'
    socket = mine
    heardAt = Date.now()
    let opened = false

    mine.addEventListener('open', () => {
      opened = true
    })
    mine.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (socket !== mine) return
      heardAt = Date.now()
      if (typeof data === 'string') onText(data)
      else if (data instanceof ArrayBuffer) {
        buffer?.append(data)
        if (video.paused && buffer) play()
      }
    })
    mine.addEventListener('close', ({ code }) => {
      if (socket !== mine) return
      if (code === codes.permission) end('permission')
      else if (code === codes.session) end('session')
      else if (opened) tryLater()
      else {
        void refused(mine)
      }
    })
  }

  const refused = async (mine: WebSocket) => {
    const why = await whyRefused()
    if (socket !== mine) return
    if (why === 'unknown') tryLater()
    else end(why)
  }

  const onMoved = () => {
    movedAt = Date.now()
    if (!buffer || over) return
    if (state.kind !== 'playing') {
      playingSince = movedAt
      tell({ kind: 'playing', sound })
    } else if (movedAt - playingSince > steady) failures = 0
  }
  video.addEventListener('timeupdate', onMoved)

  const watchdog = setInterval(() => {
    if (!socket || socket.readyState !== WebSocket.OPEN) return
    const now = Date.now()
    if (state.kind === 'offline' || state.kind === 'unsupported') return
    if (now - heardAt > silence) tryLater()
    else if (state.kind === 'playing' && now - movedAt > stall) tell({ kind: 'connecting' })
  }, 1000)

  const onOnline = () => {
    if (state.kind === 'lost') connect()
  }
  window.addEventListener('online', onOnline)

  return {
    setWanted(next) {
      if (wanted === next || over) return
      wanted = next
      if (wanted) {
        tell({ kind: 'connecting' })
        connect()
      } else {
        disconnect()
        tell({ kind: 'paused' })
      }
    },
    stop() {
      disconnect()
      over = true
      clearInterval(watchdog)
      window.removeEventListener('online', onOnline)
      video.removeEventListener('timeupdate', onMoved)
    },
  }
}

/** A text frame of the live socket; undefined for what we do not know. */
function frameFrom(text: string): Partial<LiveNotice & { mime: string }> | undefined {
  try {
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null ? frame : undefined
  } catch {
    return undefined
  }
}
