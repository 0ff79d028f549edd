import { waitAfter } from '../../shared/rate/backoff.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { Instances } from '../../shared/cluster/instances.ts'
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
  readonly instances: Pick<Instances, 'find'>
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
  const { instances, clock, log, random } = deps
  const named = () => ({ instance, name: instances.find(instance)?.name })
  let failures = 0
  const connected = (): void => {
    if (failures > 0) log.info(named(), 'instance reached again')
    failures = 0
    receiver.connected(instance)
  }
  while (!signal.aborted) {
    const { wasConnected, err } = await readOnce(instance, { ...receiver, connected }, signal, deps)
    if (signal.aborted) return
    failures = wasConnected ? 0 : failures + 1
    if (failures === 1) log.warn({ ...named(), err, hint }, 'instance unreachable')
    if (failures > 0) receiver.away(instance)
    await clock.sleep(waitAfter(Math.max(failures, 1), times.retry, random), signal)
  }
}

const hint =
  'if it is running: its node.address must lead to it from here, and both need the same JWT secret and clocks that agree'

/** @returns whether the instance was connected, and what ended that */
async function readOnce(
  instance: string,
  receiver: PeerReceiver,
  signal: AbortSignal,
  { client, clock, log }: FollowPeerDeps,
): Promise<{ readonly wasConnected: boolean; readonly err?: unknown }> {
  let wasConnected = false
  try {
    const ticket = { camera: null, action: 'status' } as const
    const { status, body } = await client.request(instance, { path: messagesPath, ticket, signal })
    if (status !== 200) {
      body.destroy()
      throw new Error(`status ${status}`)
    }
    wasConnected = true
    receiver.connected(instance)
    const receive = (message: string | Buffer): void => {
      if (message.length > 0 && !signal.aborted) receiver.receive(instance, JSON.parse(String(message)))
    }
    await readMessages(body, receive, { clock, silence: times.silence })
    return { wasConnected }
  } catch (err) {
    if (!signal.aborted) log.debug({ instance, err }, 'messages of another instance interrupted')
    return { wasConnected, err }
  }
}
