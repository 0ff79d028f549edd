import { Readable } from 'node:stream'
import type { Timers } from '../../shared/time/clock.ts'
import { encodeFrame } from '../../shared/cluster/message-frames.ts'

/** The other instances that listen to this one. */
export interface PeerListeners {
  /** The body for an instance that connects. @param first what it is sent first */
  open(first: readonly object[]): Readable
  send(message: object): void
  close(): void
}

/** Bytes that wait for one instance. A slower one is disconnected, and gets everything again when it reconnects. */
const waitingLimit = 4 << 20
/** Milliseconds between two empty messages, which show that the connection lives. */
const heartbeatInterval = 1_500

export function createPeerListeners(clock: Timers): PeerListeners {
  const listeners = new Set<Readable>()
  return {
    open(first) {
      const body = new Readable({
        read() {},
        destroy(error, done) {
          stopBeat()
          listeners.delete(body)
          done(error)
        },
      })
      const stopBeat = clock.every(heartbeatInterval, () => push(body, ''))
      listeners.add(body)
      for (const message of first) push(body, JSON.stringify(message))
      return body
    },
    send(message) {
      const text = JSON.stringify(message)
      for (const listener of listeners) push(listener, text)
    },
    close() {
      for (const listener of listeners) listener.destroy()
    },
  }
}

function push(to: Readable, text: string): void {
  if (to.readableLength > waitingLimit) to.destroy()
  else to.push(encodeFrame(text))
}
