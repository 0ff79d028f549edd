import { Worker } from 'node:worker_threads'
import type { Runtime } from '../../shared/runtime.ts'
import { recurringJob, type RecurringJob } from '../recurring-job.ts'
import type { SqliteFile } from './file.ts'

/** Milliseconds. */
const interval = 86_400_000

export interface SqliteAnalysisDeps extends Runtime {
  readonly path: string
  readonly file: Pick<SqliteFile, 'drop'>
  /** Does work while no transaction of this process is open. */
  readonly alone: <T>(work: () => T) => Promise<T>
  /** Refreshes the statistics; rejects if that fails. Ends early when the signal is aborted. */
  readonly analyze?: (path: string, signal: AbortSignal) => Promise<void>
}

/** Every day, refreshes the statistics of the query planner, in another thread. */
export function analyzeDaily({ path, file, alone, analyze = inThread, clock, log }: SqliteAnalysisDeps): RecurringJob {
  const work = async (signal: AbortSignal): Promise<void> => {
    await analyze(path, signal)
    // A connection reads the statistics when it opens. A stop drops the connections anyway.
    if (!signal.aborted) await alone(file.drop)
  }
  const failure = 'failed to refresh database statistics; retrying every day'
  return recurringJob({ interval, work, failure, clock, log })
}

async function inThread(path: string, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('statistics-worker.ts', import.meta.url), {
    workerData: path,
    // Without the service's environment, which contains secrets.
    env: {},
    execArgv: [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.once('error', reject)
  worker.once('exit', () => resolve())
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end)
  await promise.finally(() => signal.removeEventListener('abort', end))
}
