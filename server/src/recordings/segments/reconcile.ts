import { isUnavailable } from '../../shared/errors.ts'
import { everyPart } from '../../shared/every-part.ts'
import type { RecordingStore } from '../index/recording-store.ts'
import { folderComparison, folderKey, type FolderComparisonDeps } from './compare-folder.ts'
import { dropMissingSegments, type MissingSegmentsDeps } from './missing-segments.ts'
import { createSegmentRecovery } from './segment-recovery.ts'
import { volumeFolders, wholeVolume, type VolumeFoldersDeps } from './volume-folders.ts'
import { day } from '../../shared/time/durations.ts'
import { isDate, utcDateOf } from '../../shared/time/utc-date.ts'
import { cameraKey, type CameraKey } from '../../shared/camera/camera-keys.ts'

export interface ReconcileDeps
  extends Omit<MissingSegmentsDeps, 'folders' | 'store'>, FolderComparisonDeps, VolumeFoldersDeps {
  readonly store: RecordingStore
}

/** Number of files that differed, by kind. */
export interface Reconciled {
  /** On disk but not in the index; now indexed. */
  readonly found: number
  /** In the index but missing on disk; now dropped from the index. */
  readonly dropped: number
  /** Missing on disk but in the object storage; a restored index didn't know, and now does. */
  readonly stored: number
  /** Missing on disk, and still in the index, because the object storage couldn't be asked. */
  readonly undecided: number
  /** Folders that can't be read. What the index has of them stays. */
  readonly unreadable: number
  /** On disk but without playable video; now quarantined. */
  readonly broken: number
  /** On disk with another size than in the index; now indexed again. */
  readonly changed: number
}

/** What a comparison found. */
export interface Comparison {
  readonly counts: Reconciled
  /** Bytes of undecided rows, by camera: they take no space on the disk. */
  readonly missing: ReadonlyMap<CameraKey, number>
  /** Paths of the folders that can't be read. */
  readonly unreadable: ReadonlySet<string>
  /** The first error because of which something wasn't compared; undefined: everything else was. */
  readonly error: unknown
}

/**
 * Makes the disk and the index agree after the process ended at any moment: a file that isn't in the index is indexed,
 * or quarantined if it is broken; a row whose file is missing is dropped, unless the object storage has it. A file whose
 * segment is in the object storage is removed.
 *
 * Handles one day of one camera at a time, so that requests are served in between. What fails for one keeps no other
 * from being compared.
 *
 * @throws ServiceError `unavailable` without the disk or the database
 */
export async function reconcile(deps: ReconcileDeps): Promise<Comparison> {
  const { folder, store, log, signal } = deps
  const sum = { found: 0, dropped: 0, stored: 0, undecided: 0, broken: 0, changed: 0 }
  const folders = volumeFolders(deps)
  const missing = new Map<CameraKey, number>()
  const dropMissing = dropMissingSegments({ ...deps, folders }, sum, missing)
  const recovery = createSegmentRecovery({ folder, store, log, sum })
  const renamed = await store.renamedKeys()
  const onFound = (): void => void sum.found++
  const compareFolder = folderComparison(deps, { folders, recovery, dropMissing, renamed, onFound })
  /** Folders of one camera on one day that exist. */
  const seen = new Set<string>()

  const compareDay = async (date: string): Promise<void> => {
    const cameras = (await folders.namesIn(date)) ?? []
    await everyPart(
      cameras.map((camera) => async () => {
        if (signal.aborted) return
        seen.add(`${date}/${camera}`)
        await compareFolder(date, cameraKey(camera))
      }),
    )
  }

  /** Drops the rows of days whose folders no longer exist. Those of a day that began in the meantime have files. */
  const dropMissingDays = async (camera: CameraKey): Promise<void> => {
    const keys = [camera, ...[...renamed].filter(([, cameras]) => cameras.includes(camera)).map(([key]) => key)]
    let start = await store.firstStart(camera, 0)
    while (start !== undefined && !signal.aborted) {
      const begin = Math.floor(start / day) * day
      const date = utcDateOf(begin)
      if (!keys.every((key) => seen.has(`${date}/${key}`))) {
        const rows = await store.filesFrom(camera, begin, begin + day, 'disk')
        await dropMissing(rows.filter(({ file }) => !seen.has(`${date}/${folderKey(file)}`)))
      }
      start = await store.firstStart(camera, begin + day)
    }
  }

  const dates = ((await folders.namesIn(wholeVolume)) ?? []).filter(isDate).sort()
  const error = await errorOf(
    everyPart([
      ...dates.map((date) => () => compareDay(date)),
      async () => everyPart((await store.cameras()).map((camera) => () => dropMissingDays(camera))),
    ]),
  )
  const { unreadable } = folders
  return { counts: { ...sum, unreadable: unreadable.size }, missing, unreadable, error }
}

/** @returns the error of some work. @throws ServiceError `unavailable` */
const errorOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (isUnavailable(error)) throw error
      return error
    },
  )
