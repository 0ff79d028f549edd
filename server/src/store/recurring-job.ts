import type { Runtime } from '../shared/runtime.ts'

export interface RecurringJobDeps extends Runtime {
  /** Milliseconds. */
  readonly interval: number
  /** @param signal aborted when the job stops */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** The log line of a failure. */
  readonly failure: string
}

export interface RecurringJob {
  /** Resolves when no work is running. */
  stop(): Promise<void>
}

/** Does work after each interval, unless it's still running. Of several failures in a row, the first is logged. */
export function recurringJob({ interval, work, failure, clock, log }: RecurringJobDeps): RecurringJob {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  let isFailing = false

  const run = async (): Promise<void> => {
    try {
      await work(signal)
      isFailing = false
    } catch (err) {
      if (!isFailing && !signal.aborted) log.warn({ err }, failure)
      isFailing = true
    }
  }
  const stopTimer = clock.every(interval, () => {
    running ??= run().finally(() => {
      running = undefined
    })
  })
  return {
    async stop() {
      stopTimer()
      stopping.abort()
      await running
    },
  }
}
