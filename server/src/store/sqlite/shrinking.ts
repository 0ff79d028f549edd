import type { Runtime } from '../../shared/runtime.ts'
import { recurringJob, type RecurringJob } from '../recurring-job.ts'
import type { SqliteFile } from './file.ts'
import { excessPages, pagesOf } from './pages.ts'
import { hour } from '../../shared/time/durations.ts'

/** Milliseconds between two checks, and between two steps. */
const times = { interval: hour, pause: 50 }

/** Pages that a step removes, half a megabyte: some three milliseconds in which the process does nothing else. */
const stepPages = 128

export interface SqliteShrinkingDeps extends Runtime {
  readonly file: Pick<SqliteFile, 'open'>
  /** Does work while no transaction of this process is open. */
  readonly alone: <T>(work: () => T) => Promise<T>
}

/** Every hour, removes free pages of the file if there are many. */
export function shrinkHourly({ file, alone, clock, log }: SqliteShrinkingDeps): RecurringJob {
  const work = async (signal: AbortSignal): Promise<void> => {
    const pages = pagesOf(file.open().reader)
    const excess = excessPages(pages)
    if (excess === 0) return
    const execute = (sql: string) =>
      // Once stopped, nothing opens the file again.
      alone(() => void (signal.aborted || file.open().writer.exec(sql)))
    for (let rest = excess; rest > 0; rest -= stepPages) {
      await execute(`pragma incremental_vacuum(${Math.min(rest, stepPages)})`)
      await clock.sleep(times.pause, signal)
      if (signal.aborted) return
    }
    // Only a checkpoint of all of the log cuts the file.
    await execute('pragma wal_checkpoint(passive)')
    log.info({ before: pages.count * pages.size, removed: excess * pages.size }, 'database file shrunk')
  }
  const failure = 'failed to shrink database file; retrying every hour'
  return recurringJob({ interval: times.interval, work, failure, clock, log })
}
