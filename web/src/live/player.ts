import type { LiveNotice } from '../../../server/src/cameras/camera.ts'
import { codecsIn } from './codec-name.ts'
import { keepPlaying } from './keep-playing.ts'
import type { Player, PlayerParts } from './live-player.ts'
import { canPlay, createMediaBuffer, type MediaBuffer } from './media-buffer.ts'

/** Close codes of ours: the session ended, the permission did. */
const codes = { session: 4401, permission: 4403 } as const
/** Milliseconds without a byte from a camera that is not offline, after which the connection counts as dead. */
const silence = 25_000
/** Milliseconds without a new picture after which a viewer is told. */
const stall = 6000

/** Plays one camera's live view into a video element, fed by a socket. */
export function createPlayer(parts: PlayerParts): Player {
  const { video, url, whyRefused } = parts
  let socket: WebSocket | undefined
  let buffer: MediaBuffer | undefined
  let heardAt = 0
  let soundCodec: string | undefined

  return keepPlaying(parts, ({ state, tell, play, tryLater, end, recovered }) => {
    const lost = () => tryLater({ kind: 'lost' })

    const start = (mime: string) => {
      buffer?.stop()
      buffer = undefined
      const codecs = codecsIn(mime)
      soundCodec = codecs.sound
      if (!canPlay(mime)) return tell({ kind: 'unsupported', codec: codecs.picture })
      tell({ kind: 'connecting' })
      buffer = createMediaBuffer(video, mime, lost)
      play()
    }

    const onText = (text: string) => {
      const message = frameFrom(text)
      if (message?.mime !== undefined) start(message.mime)
      else if (message?.state === 'offline') {
        buffer?.stop()
        buffer = undefined
        recovered()
        tell({ kind: 'offline', detail: message.detail, reason: message.reason })
      }
    }

    const refused = async (mine: WebSocket) => {
      const why = await whyRefused()
      if (socket !== mine) return
      if (why === 'unknown') lost()
      else end(why)
    }

    return {
      connect() {
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
          else if (opened) lost()
          else void refused(mine)
        })
      },
      disconnect() {
        buffer?.stop()
        buffer = undefined
        const old = socket
        socket = undefined
        old?.close(1000)
      },
      playing: () => buffer && { kind: 'playing', sound: soundCodec !== undefined, soundCodec, way: 'socket' },
      watch(still) {
        if (socket?.readyState !== WebSocket.OPEN) return
        const { kind } = state()
        if (kind === 'offline' || kind === 'unsupported') return
        if (Date.now() - heardAt > silence) lost()
        else if (kind === 'playing' && still > stall) tell({ kind: 'connecting' })
      },
    }
  })
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
