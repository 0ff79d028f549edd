import { waitAfter } from '../../shared/rate/backoff.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import { readMessages } from '../../shared/cluster/message-frames.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'

/** Receives what another instance sends. */
export interface PeerReceiver {
  /** Everything that is true now follows as messages. */
  connected(instance: string): void
  receive(instance: string, message: unknown): void
  /** The instance can't be reached. */
  away(instance: string): void
}

export interface FollowPeerDeps extends Runtime {
  readonly client: InnerClient
  readonly random: Random
}

export const messagesPath = '/events'
/** Milliseconds. `silence`: without a message, after which the connection has failed. */
const times = { silence: 5_000, retry: { first: 250, max: 2_000 } }

/**
 * Listens to another instance until the signal is aborted. A connection that is interrupted for a moment changes nothing;
 * an instance that can't be reached again is unavailable.
 */
export async function followPeer(
  instance: string,
  receiver: PeerReceiver,
  signal: AbortSignal,
  deps: FollowPeerDeps,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const wasConnected = await readOnce(instance, receiver, signal, deps)
    if (signal.aborted) return
    failures = wasConnected ? 0 : failures + 1
    if (failures === 1) deps.log.warn({ instance }, 'instance unreachable')
    if (failures > 0) receiver.away(instance)
    await deps.clock.sleep(waitAfter(Math.max(failures, 1), times.retry, deps.random), signal)
  }
}

/** @returns whether the instance was connected */
async function readOnce(
  instance: string,
  receiver: PeerReceiver,
  signal: AbortSignal,
  { client, clock, log }: FollowPeerDeps,
): Promise<boolean> {
  let isConnected = false
  try {
    const ticket = { camera: null, action: 'status' } as const
    const { status, body } = await client.request(instance, { path: messagesPath, ticket, signal })
    if (status !== 200) {
      body.destroy()
      throw new Error(`status ${status}`)
    }
    isConnected = true
    receiver.connected(instance)
    const receive = (message: string | Buffer): void => {
      if (message.length > 0 && !signal.aborted) receiver.receive(instance, JSON.parse(String(message)))
    }
    await readMessages(body, receive, { clock, silence: times.silence })
  } catch (err) {
    if (!signal.aborted) log.debug({ instance, err }, 'messages of another instance interrupted')
  }
  return isConnected
}
