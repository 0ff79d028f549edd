import { ServiceError } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'

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
  const serialized = createSemaphore(concurrency)
  let unfinished = 0

  return {
    async run(work) {
      if (unfinished >= concurrency + waiting) {
        throw new ServiceError('busy', 'Too many sign-ins at the moment. Try again.', {
          reason: 'login-queue-full',
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
