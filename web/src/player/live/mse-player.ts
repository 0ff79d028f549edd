import type { LiveNotice } from '../../../../server/src/api-types.ts'
import { closeCodes } from '../../../../server/src/shared/with-web/close-codes.ts'
import { codecsIn } from '../../lib/codec-name.ts'
import { createReconnectingPlayer } from './reconnecting-player.ts'
import type { LiveState, Player, PlayerProps } from './player-types.ts'
import { openRenewedSocket, type RenewedSocket } from '../../api/renewed-socket.ts'
import { canPlay, createMediaBuffer, type MediaBuffer } from './media-buffer.ts'
import { inOwnWindow } from '../muting.ts'

/** Milliseconds without data from a camera that is not offline before the connection counts as dead. */
const dataTimeout = 25_000
/** Milliseconds without a new frame before the viewer sees a notice. */
const stallTimeout = 6000

/** Plays one camera's live view in a video element, from a WebSocket. */
export function createPlayer(props: PlayerProps): Player {
  const { video, url, refusalReason } = props
  const stream = createStream(video)
  let socket: RenewedSocket | undefined
  let lastDataAt = 0

  return createReconnectingPlayer(props, ({ state, notify, play, tryLater, end, recovered }) => {
    const lost = () => tryLater({ kind: 'lost' })

    const onText = (text: string) => {
      const message = frameFrom(text)
      if (message?.mime !== undefined) {
        const begun = stream.begin(message.mime, lost)
        if (begun === 'continued') return
        if (begun === 'unsupported') return notify({ kind: 'unsupported', codec: codecsIn(message.mime).video })
        notify({ kind: 'connecting' })
        play()
      } else if (message?.state === 'offline') {
        stream.stop()
        recovered()
        notify({ kind: 'offline', detail: message.detail, reason: message.reason })
      }
    }
    const onMessage = (data: unknown) => {
      lastDataAt = Date.now()
      if (typeof data === 'string') onText(data)
      else if (data instanceof ArrayBuffer && !isPausedByUser(video)) {
        stream.append(data)
        if (video.paused && stream.isOpen()) play()
      }
    }
    /** @param unknown what to do if the service gives no reason */
    const refused = async (unknown: () => void) => {
      const mine = socket
      const reason = await refusalReason()
      if (socket !== mine) return
      if (reason === 'unknown') unknown()
      else if (typeof reason === 'string') end(reason)
      // A connection that is still open continues.
      else if (!socket?.isOpen) tryLater({ kind: 'refused', ...reason })
    }

    return {
      connect() {
        lastDataAt = Date.now()
        stream.renew(false)
        socket = openRenewedSocket({
          url,
          takesOver: 'at-first-message',
          onOpen: (opening) => stream.renew(opening !== 'first'),
          onMessage,
          // A connection that is still open continues until it expires.
          onDoubt: () => void refused(() => {}),
          onClose: (code, opened) => {
            if (code === closeCodes.forbidden) end('permission')
            else if (code === closeCodes.unauthenticated) end('session')
            else if (opened) lost()
            else void refused(lost)
          },
        })
      },
      disconnect() {
        stream.stop()
        socket?.close()
        socket = undefined
      },
      playing: stream.playing,
      watch(still) {
        if (!socket?.isOpen) return
        const { kind } = state()
        if (kind === 'offline' || kind === 'unsupported') return
        if (Date.now() - lastDataAt > dataTimeout) lost()
        // It was another stream after all: its timestamps do not continue those of the previous one.
        else if (stream.isContinued() && still > 2 * stallTimeout && !isPausedByUser(video)) lost()
        else if (kind === 'playing' && still > stallTimeout && !isPausedByUser(video)) notify({ kind: 'connecting' })
      },
    }
  })
}

/** The stream that a video is fed with, over one connection or several. */
function createStream(video: HTMLVideoElement) {
  let buffer: MediaBuffer | undefined
  let fed: string | undefined
  /** The next data comes over another connection, most likely of the same stream. */
  let renewed = false
  /** The buffer has data from more than one connection. */
  let continued = false
  let audioCodec: string | undefined

  const stop = () => {
    buffer?.stop()
    buffer = undefined
  }
  return {
    renew(again: boolean) {
      renewed = again
    },
    /** The data that follows is of this type. */
    begin(mime: string, onBroken: () => void): 'continued' | 'unsupported' | 'begun' {
      // The new connection overwrites buffered frames with the same ones, so playback continues.
      continued = renewed && buffer !== undefined && fed === mime
      renewed = false
      if (continued) return 'continued'
      fed = mime
      stop()
      audioCodec = codecsIn(mime).audio
      if (!canPlay(mime)) return 'unsupported'
      buffer = createMediaBuffer(video, mime, onBroken)
      return 'begun'
    },
    append: (data: ArrayBuffer) => buffer?.append(data),
    stop,
    isOpen: () => buffer !== undefined,
    isContinued: () => continued,
    playing: (): LiveState | undefined =>
      buffer && { kind: 'playing', audio: audioCodec !== undefined, audioCodec, way: 'socket' },
  }
}

/** The user paused the video, which only the browser's own window has a button for. Nothing is appended until play. */
const isPausedByUser = (video: HTMLVideoElement): boolean => video.paused && inOwnWindow(video)

/** Parses a text frame of the live socket; undefined if the frame is unknown. */
function frameFrom(text: string): Partial<LiveNotice & { mime: string }> | undefined {
  try {
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null ? frame : undefined
  } catch {
    return undefined
  }
}
