import pLimit from 'p-limit'
import { ServiceError } from '../../shared/errors.ts'

/** A queue of password work with limited concurrency and length (RATE-7). */
export interface HashQueue {
  /** @throws ServiceError `busy` if too many are already waiting. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface HashQueueDeps {
  /** Max concurrent runs: one per core. */
  readonly concurrency: number
  /** Max waiting runs. */
  readonly waiting?: number
}

export function createHashQueue({ concurrency, waiting = 64 }: HashQueueDeps): HashQueue {
  const limit = pLimit(concurrency)

  return {
    async run(work) {
      if (limit.activeCount + limit.pendingCount >= concurrency + waiting) {
        throw new ServiceError('busy', {
          reason: 'login-queue-full',
          retryAfter: 5,
        })
      }
      return limit(work)
    },
  }
}
