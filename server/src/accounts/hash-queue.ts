import { ServiceError } from '../shared/errors.ts'

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
  const line: (() => void)[] = []
  let running = 0

  const turn = (): Promise<void> | undefined => {
    if (running < atOnce) {
      running += 1
      return undefined
    }
    if (line.length >= waiting)
      throw new ServiceError('busy', 'Too many are signing in. Try again.', {
        reason: 'many-sign-ins',
        retryAfter: 5,
      })
    // Whoever ends hands its place over, so that nobody gets in between.
    return new Promise((resolve) => void line.push(resolve))
  }

  return {
    async run(work) {
      await turn()
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
