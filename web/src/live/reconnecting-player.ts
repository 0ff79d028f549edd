import { backoff } from './live-edge.ts'
import type { LiveState, Player, PlayerProps } from './player-types.ts'

/** How video comes to a browser: over a socket, as HLS. */
export interface LiveTransport {
  /** Begins to fetch; nothing of before is left. */
  connect(): void
  /** Fetches no more; where nothing is fetched it does nothing. */
  disconnect(): void
  /** What is told once pictures move; undefined where those that move are none of its own. */
  playing(): LiveState | undefined
  /** Looks after it once a second. @param still milliseconds since the last new picture, or since it connected */
  watch(still: number): void
}

/** What a way may do. */
export interface Keeping {
  readonly state: () => LiveState
  readonly notify: (state: LiveState) => void
  /** Plays what the video element has, without sound where that wants a touch first. */
  readonly play: () => void
  /** It does not go on: says so, and tries again after a while. */
  readonly tryLater: (state: LiveState) => void
  /** It may not go on. */
  readonly end: (why: 'permission' | 'session') => void
  /** Earlier failures are forgotten. */
  readonly recovered: () => void
  /** Aborted when the player is stopped: ends the listeners of its way. */
  readonly signal: AbortSignal
}

/** Milliseconds of playing after which earlier failures are forgotten. */
const steady = 10_000

const detailOf = (state: LiveState) => ('detail' in state ? state.detail : undefined)

/** Plays by one way until stopped, whatever happens to connection, camera and page. */
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
    way.disconnect()
  }

  const connect = () => {
    disconnect()
    if (over || !requested) return
    if (state.kind !== 'lost' && state.kind !== 'offline') notify({ kind: 'connecting' })
    movedAt = Date.now()
    way.connect()
  }

  const play = () => {
    video.play().catch((error: unknown) => {
      // Where the source is replaced meanwhile, the next data retries.
      if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      video.play().catch(() => {})
    })
  }

  const way = by({
    state: () => state,
    notify,
    play,
    tryLater(reported) {
      disconnect()
      if (over || !requested) return
      notify(reported)
      retry = setTimeout(connect, backoff(failures, Math.random()))
      failures += 1
    },
    end(why) {
      disconnect()
      notify({ kind: 'ended', why })
      over = true
    },
    recovered() {
      failures = 0
    },
    signal,
  })

  const onMoved = () => {
    movedAt = Date.now()
    const playing = over ? undefined : way.playing()
    if (!playing) return
    if (state.kind !== 'playing') {
      playingSince = movedAt
      notify(playing)
    } else if (movedAt - playingSince > steady) failures = 0
  }
  video.addEventListener('timeupdate', onMoved, { signal })

  const watchdog = setInterval(() => way.watch(Date.now() - movedAt), 1000)

  window.addEventListener('online', () => state.kind === 'lost' && connect(), { signal })

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
