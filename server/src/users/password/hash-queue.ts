import { ServiceError } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'

/** Password work, so many at a time and so many waiting (RATE-7). */
export interface HashQueue {
  /** @throws ServiceError `busy` where too many are waiting already. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface HashQueueDeps {
  /** How many run at once: one for each core. */
  readonly concurrency: number
  /** How many may wait. */
  readonly waiting?: number
}

export function createHashQueue({ concurrency, waiting = 64 }: HashQueueDeps): HashQueue {
  const serialized = createSemaphore(concurrency)
  let unfinished = 0

  return {
    async run(work) {
      if (unfinished >= concurrency + waiting) {
        throw new ServiceError('busy', 'Too many are signing in. Try again.', {
          reason: 'many-sign-ins',
          retryAfter: 5,
        })
      }
      unfinished += 1
      try {
        return await serialized(work)
      } finally {
        unfinished -= 1
      }
    },
  }
}
