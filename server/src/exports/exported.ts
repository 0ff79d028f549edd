import type { Store } from '../store/store.ts'
import { exportFolderIn } from './export-folder.ts'
import { exportStore } from './export-store.sql.ts'
import { sumOf } from './quota.ts'

export interface Exported {
  readonly folder: string
  /** Of all finished exports, plus the expected bytes of queued and running ones. */
  readonly bytes: number
}

/**
 * The space that the exports of a volume take, for what shares a disk with them.
 *
 * @param volume id of the volume whose recordings are next to the exports
 */
export function exportedOn(store: Store, volume: string, mediaDir: string): () => Promise<Exported> {
  const exports = exportStore(store, volume)
  return async () => ({ folder: exportFolderIn(mediaDir), bytes: sumOf(await exports.bytes()) })
}
