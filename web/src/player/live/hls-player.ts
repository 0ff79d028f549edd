import type { Player, PlayerProps } from './player-types.ts'
import { createReconnectingPlayer, type Keeping, type LiveTransport } from './reconnecting-player.ts'

interface Code {
  readonly createHlsTransport: (props: PlayerProps, keeping: Keeping) => LiveTransport
}
type Load = () => Promise<Code>

/**
 * Plays one camera's live view where the browser has native HLS but no Media Source Extensions: older iPhones.
 *
 * @param load loads the code that only these browsers need
 */
export const createHlsPlayer = (props: PlayerProps, load: Load = () => import('./hls-transport.ts')): Player =>
  createReconnectingPlayer(props, (keeping) => createLazyTransport(props, keeping, load))

/** Loads its code when it connects. A failed load is a lost connection. */
function createLazyTransport(props: PlayerProps, keeping: Keeping, load: Load): LiveTransport {
  let transport: LiveTransport | undefined
  /** Number of the current attempt to connect; what an earlier one loads is ignored. */
  let attempt = 0

  const connect = async (mine: number) => {
    try {
      const { createHlsTransport } = await load()
      if (mine !== attempt) return
      transport ??= createHlsTransport(props, keeping)
      transport.connect()
    } catch {
      if (mine === attempt) keeping.tryLater({ kind: 'lost' })
    }
  }

  return {
    connect() {
      attempt += 1
      void connect(attempt)
    },
    disconnect() {
      attempt += 1
      transport?.disconnect()
    },
    playing: () => transport?.playing(),
    watch: (still) => transport?.watch(still),
  }
}
