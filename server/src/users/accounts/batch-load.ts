import type { StopTimer, Timers } from '../../shared/time/clock.ts'

export interface BatchLoadOptions {
  readonly clock: Timers
  /** Keys per query. */
  readonly max?: number
  /** Milliseconds after which the next query starts although the previous one has not ended. */
  readonly timeout?: number
}

/**
 * Loads values by key, many per query. A request joins only a query that starts after the request, so its result is
 * never older than the request.
 *
 * @param loadMany runs one query; missing keys are left out of the result.
 */
export function createBatchLoad<Value>(
  loadMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { clock, max = 500, timeout = 100 }: BatchLoadOptions,
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>()
  let underWay = 0
  let begun = false
  let stopTimer: StopTimer | undefined

  const load = async (): Promise<void> => {
    begun = false
    const batch = [...waiting].slice(0, max)
    for (const [key] of batch) waiting.delete(key)
    underWay += 1
    try {
      const found = await loadMany(batch.map(([key]) => key))
      for (const [key, { resolve }] of batch) resolve(found.get(key))
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    }
    underWay -= 1
    begin()
  }
  const begin = (): void => {
    stopTimer?.()
    stopTimer = undefined
    if (begun || waiting.size === 0) return
    begun = true
    // A microtask, so that all requests of the current task share one query.
    queueMicrotask(() => void load())
  }

  return (key) => {
    const joined = waiting.get(key) ?? Promise.withResolvers<Value | undefined>()
    waiting.set(key, joined)
    if (underWay === 0) begin()
    else stopTimer ??= clock.after(timeout, begin)
    return joined.promise
  }
}
