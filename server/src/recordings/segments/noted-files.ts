import { join } from 'node:path'
import { stat } from '../../shared/storage/media-disk.ts'
import type { DeletedFiles } from '../../store/deleted-files.ts'
import { segmentNamed } from './segment-name.ts'
import type { FileRemoval } from '../../shared/storage/file-removal.ts'
import type { Usage } from '../storage/usage.ts'

export interface NotedFilesDeps {
  readonly folder: string
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done'>
  readonly files: FileRemoval
  readonly usage: Pick<Usage, 'removed'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
}

/** Deletes the files of segments that were deleted through other instances. Those that can't be removed stay noted. */
export async function deleteNotedFiles(deps: NotedFilesDeps, signal: AbortSignal): Promise<void> {
  const { folder, deletedFiles, files, usage, requireDisk } = deps
  /** @returns whether the file doesn't exist anymore */
  const remove = async (file: string): Promise<boolean> => {
    const named = segmentNamed(file)
    if (!named) return true
    const size = await stat(join(folder, file)).then(
      (found) => found.size,
      () => 0,
    )
    if (await files.remove(file)) return false
    if (size > 0) usage.removed({ ...named, bytes: size, object: null })
    return true
  }
  let noted = await deletedFiles.own('recording')
  while (noted.length > 0) {
    const due = noted.filter(({ file }) => !files.isPostponed(file))
    if (due.length > 0) await requireDisk()
    const removed: string[] = []
    for (const { file } of due) if (!signal.aborted && (await remove(file))) removed.push(file)
    await deletedFiles.done('recording', removed)
    if (signal.aborted) return
    noted = await deletedFiles.own('recording', noted.at(-1)?.file)
  }
}
