import pLimit from 'p-limit'
import { readPlan, type RandomFile } from './video-only-file.ts'
import type { VideoOnlyPlan } from './video-only-plan.ts'

/** Plans that are made at a time: each reads a table of contents, and works through it. */
const concurrency = 2

/**
 * Makes the plans of files that don't change, each once for all who are sent the file at the same time: the table of
 * contents of a day has tens of megabytes, so that a few more requests could otherwise take all memory.
 *
 * @returns the plan of a file. `key` stands for its bytes.
 */
export function createVideoOnlyPlans(): (key: string, file: RandomFile) => Promise<VideoOnlyPlan> {
  const limit = pLimit(concurrency)
  const begun = new Map<string, Promise<VideoOnlyPlan>>()
  /** Plans of responses that are being sent, and of those that just were. */
  const made = new Map<string, WeakRef<VideoOnlyPlan>>()

  const make = async (key: string, file: RandomFile): Promise<VideoOnlyPlan> => {
    const plan = await limit(readPlan, file)
    for (const [other, each] of made) if (!each.deref()) made.delete(other)
    made.set(key, new WeakRef(plan))
    return plan
  }
  return async (key, file) => {
    const known = made.get(key)?.deref()
    if (known) return known
    const before = begun.get(key)
    if (before) return before
    const making = make(key, file).finally(() => begun.delete(key))
    begun.set(key, making)
    return making
  }
}
