import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { ExportFolder } from './export-folder.ts'
import type { JobQueue } from './queue/job-queue.ts'

export interface NotedExportsDeps extends Runtime {
  /** undefined: no other instance deletes exports of the own volume. */
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done' | 'subscribe'> | undefined
  readonly folder: Pick<ExportFolder, 'dropDraft' | 'remove'>
  readonly jobs: Pick<JobQueue, 'without'>
}

/** Milliseconds between two checks, if an announcement was missed. */
const interval = 30_000

/** Ends the jobs and deletes the files of exports that were canceled or deleted through other instances. */
export function createNotedExports({ deletedFiles, folder, jobs, clock, log }: NotedExportsDeps): {
  run(): Promise<void>
  stop(): void
} {
  const remove = async (): Promise<void> => {
    for (const { file: id } of (await deletedFiles?.own('export')) ?? []) {
      await jobs.without(id, async () => {
        await folder.dropDraft(id)
        await folder.remove(id)
      })
      await deletedFiles?.done('export', [id])
    }
  }
  const run = (): Promise<void> =>
    remove().catch((err: unknown) => log.warn({ err }, 'failed to delete exports that were deleted elsewhere'))
  const stopHearing = deletedFiles?.subscribe(() => void run())
  const stopTimer = deletedFiles && clock.every(interval, () => void run())
  return {
    run,
    stop() {
      stopHearing?.()
      stopTimer?.()
    },
  }
}
