import { ServiceError } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import { diskMissing, type ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { exportProblem } from './problem.ts'

export interface LostExportsDeps extends Runtime {
  /** Id of the own volume. */
  readonly volume: string
  readonly folder: Pick<ExportFolder, 'path' | 'requireDisk' | 'bytesOf'>
  readonly store: Pick<ExportStore, 'byId' | 'lose' | 'recover'>
  readonly onChange: (changed: StoredExport, progress: number) => void
}

/** Finished exports whose files are missing. */
export interface LostExports {
  /**
   * Marks a finished export as failed because its file is missing.
   *
   * @throws ServiceError `unavailable` if its disk is missing, or before rows and files have been compared, which shows
   *   that
   */
  lose(one: StoredExport): Promise<void>
  /** As `lose`, for the comparison itself. */
  loseNow(one: StoredExport): Promise<void>
  /** Notes that rows and files have been compared. */
  compared(): void
  readonly areCompared: boolean
  /** @throws ServiceError `unavailable` if the disk is missing: then a missing file isn't lost */
  requireDisk(): Promise<void>
  /** Notes that none of the finished exports has its file: from now on, none is marked. */
  allMissing(count: number): void
  /** Marks an export as finished again, if its file is there as it was. */
  recover(one: StoredExport): Promise<void>
}

export function createLostExports({ volume, folder, store, onChange, clock, log }: LostExportsDeps): LostExports {
  let areAllMissing = false
  let areCompared = false
  /** Of which the log says that their files aren't as they were. */
  const changedFiles = new Set<string>()

  const requireDisk: LostExports['requireDisk'] = async () => {
    if (areAllMissing) throw diskMissing(`the exports disk is missing: ${folder.path}`)
    await folder.requireDisk()
  }
  const changed = async (id: string, progress: number): Promise<void> => {
    const now = await store.byId(id)
    if (now) onChange(now, progress)
  }

  const loseNow = async (one: StoredExport): Promise<void> => {
    // Only the instance with the disk knows whether the file is there.
    if (one.volume !== volume) return
    await requireDisk()
    if (!(await store.lose(one.id, exportProblem('file-missing'), clock.now()))) return
    log.warn({ export: one.id, camera: one.camera }, 'export file missing')
    await changed(one.id, 0)
  }

  return {
    requireDisk,
    async lose(one) {
      if (!areCompared) throw new ServiceError('unavailable', { retryAfter: 1 })
      await loseNow(one)
    },
    loseNow,
    compared: () => void (areCompared = true),
    get areCompared() {
      return areCompared
    },
    allMissing(count) {
      areAllMissing = true
      const hint = `Check whether the disk of ${folder.path} is mounted, and restart the service.`
      log.error({ count, folder: folder.path, hint }, 'exports disk missing: no finished export has its file')
    },
    async recover({ id, camera }) {
      const bytes = await folder.bytesOf(id)
      if (bytes === undefined) return
      if (!(await store.recover(id, bytes))) {
        if (!changedFiles.has(id)) log.warn({ export: id, camera, bytes }, 'file of a lost export has another size')
        changedFiles.add(id)
        return
      }
      log.info({ export: id, camera }, 'file of a lost export found')
      await changed(id, 100)
    },
  }
}
