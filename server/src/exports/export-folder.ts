import { join } from 'node:path'
import { ServiceError } from '../shared/errors.ts'
import { ensureDirectory } from '../shared/files/ensure-directory.ts'
import { open, syncAndRename, readdir, rm, stat, type FileHandle } from '../shared/storage/media-disk.ts'
import type { ExportReasons } from './reasons.ts'
import { isMissing, undefinedIfMissing } from '../shared/files/missing-file.ts'

/** The folder of exports. A file gets its final name only when it is complete. */
export interface ExportFolder {
  readonly path: string
  /**
   * Requires that it is still the folder that was opened. Otherwise its disk was unmounted, and no file counts as missing.
   *
   * @throws ServiceError `unavailable`
   */
  requireDisk(): Promise<void>
  /** Creates an empty draft, which the muxing thread writes. @returns its path. */
  draft(id: string): Promise<string>
  dropDraft(id: string): Promise<void>
  /** Syncs a draft to the disk and gives it its final name. */
  keep(id: string): Promise<void>
  /** Size of a finished file; undefined if there is none. */
  bytesOf(id: string): Promise<number | undefined>
  /** Size of a draft; undefined if there is none. */
  bytesOfDraft(id: string): Promise<number | undefined>
  open(id: string): Promise<FileHandle | undefined>
  /** Removes a finished file, if there is one. @throws ServiceError `unavailable` if its disk is missing */
  remove(id: string): Promise<void>
  /** Removes drafts of earlier processes. @returns the ids of the finished files. */
  cleanUp(): Promise<ReadonlySet<string>>
}

const fileShape = /^([0-9a-f]{32})\.mp4$/
const draftShape = /^[0-9a-f]{32}\.mp4\.([0-9a-f]+)\.part$/

export const exportFolderIn = (mediaDir: string): string => join(mediaDir, 'exports')

/**
 * @param writer id of this process in draft names
 * @throws StartError if the folder can't be created
 */
export async function openExportFolder(mediaDir: string, writer: string): Promise<ExportFolder> {
  const path = exportFolderIn(mediaDir)
  await ensureDirectory(path)
  const opened = await stat(path).catch(() => undefined)
  const fileOf = (id: string): string => join(path, `${id}.mp4`)
  const draftOf = (id: string): string => `${fileOf(id)}.${writer}.part`

  const requireDisk = async (): Promise<void> => {
    const now = await stat(path).catch(() => undefined)
    if (now === undefined || now.dev !== opened?.dev || now.ino !== opened.ino)
      throw diskMissing(`the exports disk is missing: ${path}`)
  }

  return {
    path,
    requireDisk,
    async draft(id) {
      await rm(draftOf(id), { force: true })
      // Only the service's user can read the export.
      await (await open(draftOf(id), 'wx', 0o600)).close()
      return draftOf(id)
    },
    dropDraft: (id) => rm(draftOf(id), { force: true }),
    keep: (id) => syncAndRename(draftOf(id), fileOf(id)),
    bytesOf: (id) => stat(fileOf(id)).then(({ size }) => size, undefinedIfMissing),
    bytesOfDraft: (id) => stat(draftOf(id)).then(({ size }) => size, undefinedIfMissing),
    open: (id) => open(fileOf(id), 'r').catch(undefinedIfMissing),
    async remove(id) {
      // `force` would hide that the file is missing, for example because its disk is unmounted.
      await rm(fileOf(id)).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        await requireDisk()
      })
    },
    async cleanUp() {
      const whole = new Set<string>()
      for (const name of await readdir(path)) {
        const [, id] = fileShape.exec(name) ?? []
        if (id !== undefined) whole.add(id)
        const [, by] = draftShape.exec(name) ?? []
        if (by !== undefined && by !== writer) await rm(join(path, name), { force: true })
      }
      return whole
    },
  }
}

/** The disk of a file that no instance has. It may never be back, so no time is given after which to try again. */
export const diskLost = (): ServiceError<ExportReasons> =>
  new ServiceError<ExportReasons>('unavailable', {
    reason: 'exports-disk-missing',
    cause: new Error('no instance has the disk of the export'),
  })

/** @param cause for the log: paths are nothing for users */
export const diskMissing = (cause: string): ServiceError<ExportReasons> =>
  new ServiceError<ExportReasons>('unavailable', {
    reason: 'exports-disk-missing',
    cause: new Error(cause),
    retryAfter: 30,
  })
