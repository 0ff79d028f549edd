import type { Log } from '../shared/log.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore } from './export-store.ts'
import type { LostExports } from './lost-exports.ts'

export interface ReconcileExportsDeps {
  readonly folder: Pick<ExportFolder, 'cleanUp' | 'bytesOf' | 'remove'>
  readonly store: Pick<ExportStore, 'done' | 'byId'>
  readonly lost: Pick<LostExports, 'loseNow' | 'recover' | 'allMissing'>
  readonly log: Log
}

/**
 * Makes rows and files agree after the service ended at any moment. A finished file without a row is not removed, nor is
 * that of an export that was marked as lost, as long as that is in the list: its disk was missing.
 */
export async function reconcileExports({ folder, store, lost, log }: ReconcileExportsDeps): Promise<void> {
  const whole = await folder.cleanUp()
  for (const id of whole) {
    const row = await store.byId(id)
    if (!row) log.warn({ file: `${id}.mp4` }, 'unknown file in exports folder')
    else if (row.state !== 'failed') continue
    else if (row.problem.code === 'file-missing') await lost.recover(row)
    else await folder.remove(id)
  }
  const done = await store.done()
  const missing = done.filter(({ id }) => !whole.has(id))
  // A single missing file can be a deletion that a kill interrupted.
  if (missing.length > 1 && missing.length === done.length) lost.allMissing(missing.length)
  else for (const one of missing) if ((await folder.bytesOf(one.id)) === undefined) await lost.loseNow(one)
}
