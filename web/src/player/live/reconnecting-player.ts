import { backoff } from '../../lib/backoff.ts'
import { playVideo } from '../muting.ts'
import type { LiveState, Player, PlayerProps } from './player-types.ts'

/** How live video reaches the browser: over a WebSocket, or as HLS. */
export interface LiveTransport {
  /** Starts to fetch from scratch. */
  connect(): void
  /** Stops fetching; does nothing if nothing is being fetched. */
  disconnect(): void
  /** The state to report once frames play; undefined if they are not from this transport. */
  playing(): LiveState | undefined
  /** Runs once a second. @param still milliseconds since the last new frame, or since the connection */
  watch(still: number): void
}

/** What a transport can call. */
export interface Keeping {
  readonly state: () => LiveState
  readonly notify: (state: LiveState) => void
  /** Plays the video element, muted if the browser requires a user gesture for audio. */
  readonly play: () => void
  /** Playback failed: reports the state and retries after a while. */
  readonly tryLater: (state: LiveState) => void
  /** The permission or the session ended: playback stops for good. */
  readonly end: (reason: 'permission' | 'session') => void
  /** Forgets earlier failures. */
  readonly recovered: () => void
  /** Aborted when the player stops; ends the transport's listeners. */
  readonly signal: AbortSignal
}

/** Milliseconds of playback after which earlier failures are forgotten. */
const steady = 10_000

/** States that stay on screen while the player reconnects. */
const retried: ReadonlySet<LiveState['kind']> = new Set(['lost', 'refused', 'offline'])

const isWithoutService = ({ kind }: LiveState): boolean => kind === 'lost' || kind === 'refused'

const detailOf = (state: LiveState) => ('detail' in state ? state.detail : undefined)

/** Plays over one transport until stopped. Reconnects after the connection or camera was lost, or the page hidden. */
export function createReconnectingPlayer(
  { video, onState }: Pick<PlayerProps, 'video' | 'onState'>,
  by: (keeping: Keeping) => LiveTransport,
): Player {
  let state: LiveState = { kind: 'connecting' }
  let requested = false
  let over = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let movedAt = 0
  let playingSince = 0
  const stopping = new AbortController()
  const { signal } = stopping

  const notify = (next: LiveState) => {
    const same = next.kind === state.kind && next.kind !== 'playing' && detailOf(next) === detailOf(state)
    state = next
    if (!same && !over) onState(next)
  }

  const disconnect = () => {
    clearTimeout(retry)
    transport.disconnect()
  }

  const connect = () => {
    disconnect()
    if (over || !requested) return
    if (!retried.has(state.kind)) notify({ kind: 'connecting' })
    movedAt = Date.now()
    transport.connect()
  }

  const transport = by({
    state: () => state,
    notify,
    play: () => playVideo(video),
    tryLater(reported) {
      disconnect()
      if (over || !requested) return
      notify(reported)
      retry = setTimeout(connect, backoff(failures, Math.random()))
      failures += 1
    },
    end(reason) {
      disconnect()
      notify({ kind: 'ended', reason })
      over = true
    },
    recovered() {
      failures = 0
    },
    signal,
  })

  const onMoved = () => {
    movedAt = Date.now()
    const playing = over ? undefined : transport.playing()
    if (!playing) return
    if (state.kind !== 'playing') {
      playingSince = movedAt
      notify(playing)
    } else if (movedAt - playingSince > steady) failures = 0
  }
  video.addEventListener('timeupdate', onMoved, { signal })

  const watchdog = setInterval(() => transport.watch(Date.now() - movedAt), 1000)

  window.addEventListener('online', () => isWithoutService(state) && connect(), { signal })

  return {
    setWanted(next) {
      if (requested === next || over) return
      requested = next
      if (requested) {
        notify({ kind: 'connecting' })
        connect()
      } else {
        disconnect()
        notify({ kind: 'paused' })
      }
    },
    stop() {
      over = true
      disconnect()
      clearInterval(watchdog)
      stopping.abort()
    },
  }
}
