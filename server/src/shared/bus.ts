/** One small bus: what is published reaches every subscriber at once, in the order they subscribed. */
export interface Bus<Message> {
  publish(message: Message): void
  /** @returns a function that ends the subscription. */
  subscribe(receive: (message: Message) => void): () => void
}

export function createBus<Message>(): Bus<Message> {
  const receivers = new Set<(message: Message) => void>()
  return {
    publish(message) {
      for (const receive of receivers) receive(message)
    },
    subscribe(receive) {
      receivers.add(receive)
      return () => void receivers.delete(receive)
    },
  }
}
