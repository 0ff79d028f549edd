import type { InnerRoute } from '../../shared/cluster/inner-route.ts'
import type { Instances } from '../../shared/cluster/instances.ts'
import { followPeer, messagesPath, type FollowPeerDeps, type PeerReceiver } from './follow-peer.ts'
import { createPeerListeners } from './peer-listeners.ts'

export interface PeerMessagesDeps extends FollowPeerDeps {
  readonly instances: Instances
}

/** Messages from each instance to every other one, over one stream for each pair. They are not stored. */
export interface PeerMessages {
  readonly routes: readonly InnerRoute[]
  /** Sends to every instance that is connected now. */
  send(message: object): void
  /** Connects to the other instances. @param current what an instance that connects is sent first */
  start(receiver: PeerReceiver, current: () => readonly object[]): void
  stop(): void
}

export function createPeerMessages(deps: PeerMessagesDeps): PeerMessages {
  const { instances } = deps
  const listeners = createPeerListeners(deps.clock)
  const following = new Map<string, AbortController>()
  let current: (() => readonly object[]) | undefined
  let unsubscribe: (() => void) | undefined

  const followAll = (receiver: PeerReceiver): void => {
    const others = instances.all().filter(({ id, address }) => id !== instances.self && address !== null)
    for (const { id } of others) {
      if (following.has(id)) continue
      const abort = new AbortController()
      following.set(id, abort)
      void followPeer(id, receiver, abort.signal, deps)
    }
    for (const [id, abort] of following) {
      if (others.some((other) => other.id === id)) continue
      abort.abort()
      following.delete(id)
      receiver.away(id)
    }
  }

  return {
    routes: [
      {
        path: messagesPath,
        action: 'status',
        scope: 'service',
        handle: () => ({
          body: listeners.open(current?.() ?? []),
          headers: { 'content-type': 'application/octet-stream' },
        }),
      },
    ],
    send: listeners.send,
    start(receiver, ofNow) {
      current = ofNow
      followAll(receiver)
      unsubscribe = instances.subscribe(() => followAll(receiver))
    },
    stop() {
      unsubscribe?.()
      for (const abort of following.values()) abort.abort()
      following.clear()
      listeners.close()
    },
  }
}
