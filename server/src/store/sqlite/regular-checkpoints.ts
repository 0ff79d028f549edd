import type { Log } from '../../shared/log.ts'
import { inThread, type FileWork } from './in-thread.ts'

/** Of logins, 12 MB of the log. At 16 MB, SQLite writes them itself, which blocks the thread that commits. */
const commitsBetween = 300

export interface RegularCheckpointsDeps {
  readonly path: string
  readonly log: Log
  readonly commits?: number
  readonly checkpoint?: FileWork
}

export interface RegularCheckpoints {
  /** Counts a commit. */
  committed(): void
  /** Resolves when no work is running. */
  stop(): Promise<void>
}

/**
 * Checkpoints the log in another thread, after so many commits: two flushes and up to 4,000 pages, for which a slow disk
 * needs a tenth of a second or more. Of several failures in a row, the first is logged.
 */
export function regularCheckpoints({
  path,
  log,
  commits = commitsBetween,
  checkpoint = inThread(new URL('checkpoint-worker.ts', import.meta.url)),
}: RegularCheckpointsDeps): RegularCheckpoints {
  const stopping = new AbortController()
  let waiting = 0
  let running: Promise<void> | undefined
  let isFailing = false

  const run = async (): Promise<void> => {
    try {
      await checkpoint(path, stopping.signal)
      isFailing = false
    } catch (err) {
      if (!isFailing && !stopping.signal.aborted) log.warn({ err }, 'failed to checkpoint database log in background')
      isFailing = true
    }
  }
  return {
    committed() {
      waiting += 1
      if (waiting < commits || running || stopping.signal.aborted) return
      waiting = 0
      running = run().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
