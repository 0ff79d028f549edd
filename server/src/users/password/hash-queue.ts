import PQueue from 'p-queue'
import { ServiceError } from '../../shared/errors.ts'

/** `trusted` work goes first: that of users who are signed in, or sign in from an address that others have used. */
export type HashOrigin = 'trusted' | 'unknown'

/** A queue of password work with limited concurrency and length (RATE-7). */
export interface HashQueue {
  /** @throws ServiceError `busy` if too many of that origin are already waiting */
  run<Result>(origin: HashOrigin, work: () => Promise<Result>): Promise<Result>
}

export interface HashQueueDeps {
  /** Max concurrent runs: one per core. */
  readonly concurrency: number
  /** Max waiting runs of each origin. */
  readonly waiting?: number
}

const priorities: Record<HashOrigin, number> = { trusted: 1, unknown: 0 }

export function createHashQueue({ concurrency, waiting = 64 }: HashQueueDeps): HashQueue {
  const queue = new PQueue({ concurrency })

  return {
    async run(origin, work) {
      const priority = priorities[origin]
      if (queue.pending >= concurrency && queue.sizeBy({ priority }) >= waiting) {
        throw new ServiceError('busy', {
          reason: 'login-queue-full',
          retryAfter: 5,
        })
      }
      return queue.add(work, { priority })
    },
  }
}
