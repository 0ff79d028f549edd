import type { Runtime } from '../shared/runtime.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { excessPages, pagesOf } from './sqlite-pages.ts'

/** Milliseconds between two rounds, and between two steps of a round. */
const times = { interval: 3_600_000, pause: 50 }

/** Pages that a step removes, half a megabyte: some three milliseconds in which the process does nothing else. */
const stepPages = 128

export interface SqliteMaintenanceDeps extends Runtime {
  readonly file: Pick<SqliteFile, 'open'>
  /** Does work while no transaction of this process is open. */
  readonly alone: <T>(work: () => T) => Promise<T>
}

export interface SqliteMaintenance {
  /** Resolves when no step is running. */
  stop(): Promise<void>
}

/** Every hour, removes free pages of the file if there are many. */
export function maintainSqlite({ file, alone, clock, log }: SqliteMaintenanceDeps): SqliteMaintenance {
  const stopping = new AbortController()
  const { signal } = stopping
  let round: Promise<void> | undefined
  let isFailing = false

  /** After a stop, nothing opens the file again. */
  const step = <T>(work: () => T): Promise<T | undefined> => alone(() => (signal.aborted ? undefined : work()))

  const shrink = async (): Promise<void> => {
    const pages = pagesOf(file.open().reader)
    const excess = excessPages(pages)
    if (excess === 0) return
    for (let rest = excess; rest > 0; rest -= stepPages) {
      await step(() => file.open().writer.exec(`pragma incremental_vacuum(${Math.min(rest, stepPages)})`))
      await clock.sleep(times.pause, signal)
      if (signal.aborted) return
    }
    // Only a checkpoint of all of the log cuts the file.
    await step(() => file.open().writer.exec('pragma wal_checkpoint(passive)'))
    log.info({ before: pages.count * pages.size, removed: excess * pages.size }, 'database file shrunk')
  }

  const run = async (): Promise<void> => {
    try {
      await shrink()
      isFailing = false
    } catch (err) {
      if (!isFailing && !signal.aborted) log.warn({ err }, 'failed to shrink database file; retrying every hour')
      isFailing = true
    }
  }

  const stopTimer = clock.every(times.interval, () => {
    round ??= run().finally(() => {
      round = undefined
    })
  })
  return {
    async stop() {
      stopTimer()
      stopping.abort()
      await round
    },
  }
}
