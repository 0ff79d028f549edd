import pLimit from 'p-limit'
import { ServiceError } from '../../shared/errors.ts'
import { readPlan, type RandomFile } from './video-only-file.ts'
import type { VideoOnlyPlan } from './video-only-plan.ts'

/** Plans that are made at a time: each reads a table of contents, and works through it. */
const concurrency = 2

/** A plan that is being made, or waits for it. */
interface Making {
  readonly plan: Promise<VideoOnlyPlan>
  /** Callers that still wait. */
  waiting: number
}

export interface PlannedFile {
  /** Stands for the file's bytes. */
  readonly key: string
  /** Only called once it's the file's turn, so that one that waits isn't open. */
  readonly open: () => Promise<RandomFile>
}

/**
 * Makes the plans of files that don't change, each once for all who are sent the file at the same time: the table of
 * contents of a day has tens of megabytes, so that a few more requests could otherwise take all memory.
 *
 * @returns the plan of a file. Throws ServiceError `unavailable` once the signal is aborted; a plan that no one else waits
 *   for isn't begun
 */
export function createVideoOnlyPlans(): (file: PlannedFile, signal: AbortSignal) => Promise<VideoOnlyPlan> {
  const limit = pLimit(concurrency)
  const begun = new Map<string, Making>()
  /** Plans of responses that are being sent, and of those that just were. */
  const made = new Map<string, WeakRef<VideoOnlyPlan>>()

  const make = async ({ key, open }: PlannedFile): Promise<VideoOnlyPlan> => {
    const file = await open()
    try {
      const plan = await readPlan(file)
      for (const [other, each] of made) if (!each.deref()) made.delete(other)
      made.set(key, new WeakRef(plan))
      return plan
    } finally {
      await file.close()
    }
  }
  const begin = (file: PlannedFile): Making => {
    const end = (): void => {
      if (begun.get(file.key) === making) begun.delete(file.key)
    }
    const begunPlan = limit(async () => {
      if (making.waiting > 0) return make(file)
      // Not later: the next request makes a new plan.
      end()
      throw canceled()
    })
    const making: Making = { plan: begunPlan.finally(end), waiting: 0 }
    begun.set(file.key, making)
    return making
  }
  return async (file, signal) => {
    const known = made.get(file.key)?.deref()
    if (known) return known
    const making = begun.get(file.key) ?? begin(file)
    making.waiting += 1
    try {
      return await unlessAborted(making.plan, signal)
    } finally {
      making.waiting -= 1
    }
  }
}

const canceled = (): ServiceError => new ServiceError('unavailable', { note: 'The download was canceled.' })

/** @throws ServiceError `unavailable` once the signal is aborted */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(canceled())
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
