import type { Runtime } from '../../shared/runtime.ts'
import { recurringJob, type RecurringJob } from '../recurring-job.ts'
import type { SqliteFile } from './file.ts'
import { inThread, type FileWork } from './in-thread.ts'
import { day } from '../../shared/time/durations.ts'

/** Milliseconds. */
const interval = day

export interface DailyStatisticsDeps extends Runtime {
  readonly path: string
  readonly file: Pick<SqliteFile, 'drop'>
  /** Does work while no transaction of this process is open. */
  readonly alone: <T>(work: () => T) => Promise<T>
  /** Refreshes the statistics; rejects if that fails. Ends early when the signal is aborted. */
  readonly analyze?: FileWork
}

/** Every day, refreshes the statistics of the query planner, in another thread. */
export function analyzeDaily({
  path,
  file,
  alone,
  analyze = inThread(new URL('statistics-worker.ts', import.meta.url)),
  clock,
  log,
}: DailyStatisticsDeps): RecurringJob {
  const work = async (signal: AbortSignal): Promise<void> => {
    await analyze(path, signal)
    // A connection reads the statistics when it opens. A stop drops the connections anyway.
    if (!signal.aborted) await alone(file.drop)
  }
  const failure = 'failed to refresh database statistics; retrying every day'
  return recurringJob({ interval, work, failure, clock, log })
}
