import type { Log } from './log.ts'

/** A bus in memory: a message reaches every subscriber synchronously, in the order they subscribed. */
export interface Bus<Message> {
  /** Never throws: an error of a subscriber is logged, and the next subscribers still get the message. */
  publish(message: Message): void
  /** @returns a function that ends the subscription. */
  subscribe(receive: (message: Message) => void): () => void
}

export function createBus<Message>(log: Pick<Log, 'error'>): Bus<Message> {
  const receivers = new Set<(message: Message) => void>()
  return {
    publish(message) {
      for (const receive of receivers) {
        try {
          receive(message)
        } catch (err) {
          log.error({ err }, 'subscriber failed; others notified')
        }
      }
    },
    subscribe(receive) {
      receivers.add(receive)
      return () => void receivers.delete(receive)
    },
  }
}
