import type { Runtime } from '../shared/runtime.ts'
import { hour } from '../shared/time/durations.ts'
import { cleanUpFailed } from './clean-up-failed.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore } from './export-store.ts'
import type { LostExports } from './lost-exports.ts'
import { createNotedExports, type NotedExportsDeps } from './noted-exports.ts'
import type { JobQueue } from './queue/job-queue.ts'
import { reconcileExports } from './reconcile-exports.ts'
import { cleanUpUnowned, type UnownedExportsDeps } from './unowned-exports.ts'

export interface BackgroundDeps
  extends Runtime, Pick<UnownedExportsDeps, 'volumes' | 'storeOf' | 'onChange' | 'onRemoved' | 'isClockTrusted'> {
  readonly folder: ExportFolder
  readonly store: ExportStore
  readonly lost: LostExports
  readonly jobs: Pick<JobQueue, 'wake' | 'without'>
  readonly deletedFiles: NotedExportsDeps['deletedFiles']
}

/** The work on exports that no request waits for. */
export interface Background {
  /** Makes rows and files agree, then checks the queue. Deletes what was deleted elsewhere, and old failed exports, until it's stopped. */
  start(): void
  stop(): Promise<void>
}

/** Milliseconds between two removals of old failed exports. */
const removeEvery = hour

export function createBackground(deps: BackgroundDeps): Background {
  const { folder, store, lost, jobs, deletedFiles, clock, log } = deps
  const cleanUp = (): Promise<void> =>
    cleanUpFailed(deps).catch((err: unknown) => log.warn({ err }, 'failed to remove old failed exports'))
  let stopped = false
  const reconcile = async (): Promise<void> => {
    try {
      await reconcileExports({ folder, store, lost, log })
      lost.compared()
    } catch (err) {
      log.warn({ err }, 'failed to reconcile exports')
    }
  }
  const work = async (deleteNoted: () => Promise<void>): Promise<void> => {
    await deleteNoted()
    await reconcile()
    await cleanUp()
    if (!stopped) jobs.wake()
  }
  const begin = (): { readonly working: Promise<void>; readonly stopTimers: () => void } => {
    const deletion = createNotedExports({ deletedFiles, folder, jobs, clock, log })
    const stopCleanUp = clock.every(removeEvery, () => {
      if (!lost.areCompared) void reconcile()
      void cleanUp()
      // Not at the start: the disk may only be mounted late.
      cleanUpUnowned(deps).catch((err: unknown) => log.warn({ err }, 'failed to end exports of missing disks'))
    })
    return { working: work(deletion.run), stopTimers: () => (stopCleanUp(), deletion.stop()) }
  }
  let begun: ReturnType<typeof begin> | undefined

  return {
    start: () => void (begun ??= begin()),
    async stop() {
      stopped = true
      begun?.stopTimers()
      await begun?.working
    },
  }
}
