import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Requester } from '../../shared/requester.ts'
import type { MediaReasons } from '../reasons.ts'
import { decodingToDrop, nextDecoding, type WaitingDecoding } from './decoding-order.ts'

/** Who needs a snapshot. */
export interface SnapshotNeed {
  /** Aborted once no one needs it anymore. */
  readonly signal: AbortSignal
  /** At least one until then. Others can join and leave. */
  readonly requesters: readonly Requester[]
}

/** Limits how many decodings run, and distributes them fairly between those that request them. */
export interface DecodingQueue {
  /**
   * @returns the result of `decode`, called when it is its turn
   * @throws ServiceError `busy` if too many wait, `unavailable` if it isn't needed anymore
   */
  run<T>(need: SnapshotNeed, decode: () => Promise<T>): Promise<T>
}

interface QueuedDecoding extends WaitingDecoding {
  start(): void
  reject(error: ServiceError): void
}

/** Requesters whose last turn is remembered: those served last. */
const remembered = 1000

export const canceled = (): ServiceError => new ServiceError('unavailable', { note: 'The snapshot was canceled.' })
const full = (): ServiceError =>
  new ServiceError<MediaReasons>('busy', { reason: 'snapshot-queue-full', retryAfter: 1 })

/** @param limits how many decodings run, and how many wait */
export function createDecodingQueue(limits: { readonly concurrency: number; readonly waiting: number }): DecodingQueue {
  let running = 0
  let turns = 0
  const lastServed = new LRUCache<string, number>(cacheLimit(remembered))
  /** Oldest first. */
  const waiting = new Set<QueuedDecoding>()

  const startNext = (): void => {
    const next = running < limits.concurrency ? nextDecoding([...waiting], lastServed) : undefined
    if (!next) return
    waiting.delete(next.decoding)
    running++
    turns++
    for (const key of next.requester) lastServed.set(key, turns)
    next.decoding.start()
  }
  const waitForTurn = async (need: SnapshotNeed): Promise<void> => {
    if (need.signal.aborted) throw canceled()
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const own: QueuedDecoding = {
      get requesters() {
        return need.requesters
      },
      start,
      reject,
    }
    const leave = (): void => {
      if (waiting.delete(own)) reject(canceled())
    }
    need.signal.addEventListener('abort', leave)
    waiting.add(own)
    startNext()
    const dropped = waiting.size > limits.waiting ? decodingToDrop([...waiting]) : undefined
    if (dropped) {
      waiting.delete(dropped)
      dropped.reject(full())
    }
    await promise.finally(() => need.signal.removeEventListener('abort', leave))
  }

  return {
    async run(need, decode) {
      await waitForTurn(need)
      try {
        return await decode()
      } finally {
        running--
        startNext()
      }
    },
  }
}
