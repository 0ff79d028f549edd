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
  /** Makes rows and files agree, then lets queued exports begin. Old failed exports are removed until it's stopped. */
  start(): void
  stop(): Promise<void>
}

/** Milliseconds between two removals of old failed exports. */
const removeEvery = hour

export function createBackground(deps: BackgroundDeps): Background {
  const { folder, store, lost, jobs, deletedFiles, clock, log } = deps
  const deletion = createNotedExports({ deletedFiles, folder, jobs, clock, log })
  const cleanUp = (): Promise<void> =>
    cleanUpFailed(deps).catch((err: unknown) => log.warn({ err }, 'failed to remove old failed exports'))
  let stopped = false
  const work = async (): Promise<void> => {
    await deletion.run()
    await reconcileExports({ folder, store, lost, log }).catch((err: unknown) =>
      log.warn({ err }, 'failed to reconcile exports'),
    )
    await cleanUp()
    if (!stopped) jobs.wake()
  }
  let working: Promise<void> | undefined
  const stopCleanUp = clock.every(removeEvery, () => {
    void cleanUp()
    // Not at the start: the disk may only be mounted late.
    cleanUpUnowned(deps).catch((err: unknown) => log.warn({ err }, 'failed to end exports of missing disks'))
  })

  return {
    start: () => void (working ??= work()),
    async stop() {
      stopped = true
      stopCleanUp()
      deletion.stop()
      await working
    },
  }
}
