import { join } from 'node:path'
import { ensureDirectory } from '../shared/ensure-directory.ts'
import { open, syncAndRename, readdir, rm, stat, type FileHandle } from '../shared/media-disk.ts'

/** Where exports lie. A file has its name only once it is whole. */
export interface ExportFolder {
  readonly path: string
  /** Makes an empty one for somebody else to write into. @returns its path. */
  draft(id: string): Promise<string>
  dropDraft(id: string): Promise<void>
  /** Brings a draft to the disk, and to its name. */
  keep(id: string): Promise<void>
  /** undefined where there is none. */
  bytesOf(id: string): Promise<number | undefined>
  /** The same, of one that is being written. */
  bytesOfDraft(id: string): Promise<number | undefined>
  open(id: string): Promise<FileHandle | undefined>
  remove(id: string): Promise<void>
  /** Removes what a process that ended left unfinished. @returns what is there whole. */
  cleanUp(): Promise<ReadonlySet<string>>
}

const fileShape = /^([0-9a-f]{32})\.mp4$/
const draftShape = /^[0-9a-f]{32}\.mp4\.([0-9a-f]+)\.part$/

/**
 * @param writer marks what this process writes
 * @throws StartError where the folder cannot be made
 */
export async function openExportFolder(mediaDir: string, writer: string): Promise<ExportFolder> {
  const path = join(mediaDir, 'exports')
  await ensureDirectory(path)
  const fileOf = (id: string): string => join(path, `${id}.mp4`)
  const draftOf = (id: string): string => `${fileOf(id)}.${writer}.part`

  return {
    path,
    async draft(id) {
      await rm(draftOf(id), { force: true })
      // Whoever writes into it leaves it nobody else's.
      await (await open(draftOf(id), 'wx', 0o600)).close()
      return draftOf(id)
    },
    dropDraft: (id) => rm(draftOf(id), { force: true }),
    keep: (id) => syncAndRename(draftOf(id), fileOf(id)),
    bytesOf: (id) => stat(fileOf(id)).then(({ size }) => size, absent),
    bytesOfDraft: (id) => stat(draftOf(id)).then(({ size }) => size, absent),
    open: (id) => open(fileOf(id), 'r').catch(absent),
    remove: (id) => rm(fileOf(id), { force: true }),
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

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
