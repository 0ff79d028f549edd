import { join } from 'node:path'
import { rm, stat } from '../../shared/storage/media-disk.ts'
import type { DeletedFiles } from '../../store/deleted-files.ts'
import { segmentNamed } from './segment-name.ts'
import type { Usage } from '../storage/usage.ts'

export interface NotedFilesDeps {
  readonly folder: string
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done'>
  readonly usage: Pick<Usage, 'removed'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
}

/** Deletes the files of segments that were deleted through other instances. */
export async function deleteNotedFiles({ folder, deletedFiles, usage, requireDisk }: NotedFilesDeps): Promise<void> {
  for (;;) {
    const noted = await deletedFiles.own('recording')
    if (noted.length === 0) return
    await requireDisk()
    for (const { file } of noted) {
      const named = segmentNamed(file)
      if (!named) continue
      const size = await stat(join(folder, file)).then(
        (found) => found.size,
        () => 0,
      )
      await rm(join(folder, file), { force: true })
      if (size > 0) usage.removed({ camera: named.camera, bytes: size, object: null })
    }
    await deletedFiles.done(
      'recording',
      noted.map(({ file }) => file),
    )
  }
}
