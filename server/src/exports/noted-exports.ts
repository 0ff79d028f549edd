import { isUnavailable } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { ExportFolder } from './export-folder.ts'
import type { JobQueue } from './queue/job-queue.ts'

export interface NotedExportsDeps extends Runtime {
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done' | 'subscribe'>
  readonly folder: Pick<ExportFolder, 'dropDraft' | 'remove'>
  readonly jobs: Pick<JobQueue, 'without'>
}

/** Milliseconds between two checks, if an announcement was missed. */
const interval = 30_000

/**
 * Ends the jobs and deletes the files of exports that were canceled or deleted elsewhere: through other instances, or while
 * the disk was missing.
 */
export function createNotedExports({ deletedFiles, folder, jobs, clock, log }: NotedExportsDeps): {
  run(): Promise<void>
  stop(): void
} {
  /** Those whose files couldn't be removed: each is logged once, and tried again. */
  const failed = new Set<string>()
  /** @returns whether its files no longer exist */
  const removeOne = async (id: string): Promise<boolean> => {
    try {
      await jobs.without(id, async () => {
        await folder.dropDraft(id)
        await folder.remove(id)
      })
      failed.delete(id)
      return true
    } catch (err) {
      if (isUnavailable(err)) throw err
      if (!failed.has(id)) log.warn({ export: id, err }, 'failed to delete an export that was deleted elsewhere')
      failed.add(id)
      return false
    }
  }
  const remove = async (): Promise<void> => {
    let noted = await deletedFiles.own('export')
    while (noted.length > 0) {
      for (const { file: id } of noted) if (await removeOne(id)) await deletedFiles.done('export', [id])
      noted = await deletedFiles.own('export', noted.at(-1)?.file)
    }
  }
  const check = (): Promise<void> =>
    remove().catch((err: unknown) => log.warn({ err }, 'failed to delete exports that were deleted elsewhere'))
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** One check runs and one waits: anyone who can connect to the database can send any number of announcements. */
  const run = (): Promise<void> => {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return run()
      })
      return next
    }
    running = check().finally(() => {
      running = undefined
    })
    return running
  }
  const stopHearing = deletedFiles.subscribe(() => void run())
  const stopTimer = clock.every(interval, () => void run())
  return {
    run,
    stop() {
      stopHearing()
      stopTimer()
    },
  }
}
