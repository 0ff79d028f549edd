import { ServiceError } from '../shared/errors.ts'
import { createTurns } from '../shared/turns.ts'

/** Password work, so many at a time and so many waiting (RATE-7). */
export interface HashQueue {
  /** @throws ServiceError `busy` where too many are waiting already. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface HashQueueParts {
  /** How many run at once: one for each core. */
  readonly atOnce: number
  /** How many may wait. */
  readonly waiting?: number
}

export function createHashQueue({ atOnce, waiting = 64 }: HashQueueParts): HashQueue {
  const inTurn = createTurns(atOnce)
  let unfinished = 0

  return {
    async run(work) {
      if (unfinished >= atOnce + waiting) {
        throw new ServiceError('busy', 'Too many are signing in. Try again.', {
          reason: 'many-sign-ins',
          retryAfter: 5,
        })
      }
      unfinished += 1
      try {
        return await inTurn(work)
      } finally {
        unfinished -= 1
      }
    },
  }
}
