import type { Log } from '../shared/log.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'

export interface ReconcileExportsDeps {
  readonly folder: Pick<ExportFolder, 'cleanUp' | 'bytesOf' | 'remove'>
  readonly store: Pick<ExportStore, 'done' | 'byId'>
  /** Marks a finished export as failed because its file is missing. */
  readonly lose: (one: StoredExport) => Promise<void>
  readonly log: Log
}

/** Makes rows and files agree after the service ended at any moment. A finished file without a row is not removed. */
export async function reconcileExports({ folder, store, lose, log }: ReconcileExportsDeps): Promise<void> {
  const whole = await folder.cleanUp()
  for (const one of await store.done()) {
    if (whole.has(one.id)) continue
    if ((await folder.bytesOf(one.id)) === undefined) await lose(one)
  }
  for (const id of whole) {
    const row = await store.byId(id)
    if (row?.state === 'failed') await folder.remove(id)
    else if (!row) log.warn({ file: `${id}.mp4` }, 'unknown file in exports folder')
  }
}
