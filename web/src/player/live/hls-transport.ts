import type { LiveCamera, PlayerProps } from './player-types.ts'
import type { Keeping, LiveTransport } from './reconnecting-player.ts'

/** Milliseconds without a new frame before the player reconnects: several segments long. */
const stallTimeout = 15_000

/** Fetches one camera's live view with the browser's own HLS. */
export function createHlsTransport(props: PlayerProps, keeping: Keeping): LiveTransport {
  const { video, hls, refusalReason, camera } = props
  const { state, notify, play, tryLater, end, signal } = keeping
  let running = false

  const disconnect = () => {
    if (!running) return
    running = false
    video.removeAttribute('src')
    video.load()
  }

  /** Playback failed. Asks the service for the reason, since a video element gives none. */
  const failed = async () => {
    if (!running) return
    disconnect()
    const [reason, shown] = await Promise.all([refusalReason(), camera()])
    // Reconnected during the request, or the page is hidden.
    if (running || state().kind === 'paused') return
    if (typeof reason !== 'string') tryLater({ kind: 'refused', ...reason })
    else if (reason !== 'unknown') end(reason)
    else if (shown?.state === 'online' && !canPlay(video, shown)) {
      notify({ kind: 'unsupported', codec: shown.codec ?? undefined })
    } else if (shown?.state === 'offline') {
      tryLater({ kind: 'offline', detail: shown.detail, reason: shown.reason })
    } else tryLater({ kind: 'lost' })
  }
  video.addEventListener('error', () => void failed(), { signal })

  return {
    connect() {
      running = true
      video.src = hls.href
      play()
    },
    disconnect,
    playing() {
      const { audioTracks } = video as { audioTracks?: { readonly length: number } }
      return running ? { kind: 'playing', audio: audioTracks?.length !== 0, way: 'hls' } : undefined
    },
    watch(still) {
      if (still > stallTimeout) void failed()
    },
  }
}

/** Whether the browser reports that it can play this camera's video. */
function canPlay(video: HTMLVideoElement, { codec }: LiveCamera): boolean {
  const hls = video.canPlayType('application/vnd.apple.mpegurl') !== ''
  return hls && (codec === null || video.canPlayType(`video/mp4; codecs="${codec}"`) !== '')
}
