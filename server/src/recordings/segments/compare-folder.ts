import { basename, dirname, join } from 'node:path'
import { isUnavailable } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { rm, stat } from '../../shared/storage/media-disk.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import type { SegmentRecovery } from './segment-recovery.ts'
import { draftNamed, segmentNamed } from './segment-name.ts'
import type { VolumeFolders } from './volume-folders.ts'
import { day } from '../../shared/time/durations.ts'
import { cameraKey, type CameraKey } from '../../shared/camera/camera-keys.ts'

export interface FolderComparisonDeps {
  /** The volume's folder. */
  readonly folder: string
  readonly store: Pick<RecordingStore, 'filesFrom'>
  /** Id of this process in draft names; its drafts are left alone. */
  readonly writer: string
  /**
   * Whether a file is from this process, which indexes it itself, and isn't in the index yet. The times of files can't tell:
   * the clock may have been ahead before the start.
   */
  readonly isOwn: (file: string) => boolean
  /** Paths of what couldn't be read, each of which is logged once. */
  readonly logged: Set<string>
  readonly log: Log
  readonly signal: AbortSignal
}

/** What is done with the differences. */
export interface Differences {
  readonly folders: Pick<VolumeFolders, 'namesIn'>
  readonly recovery: SegmentRecovery
  readonly dropMissing: (rows: readonly IndexedFile[]) => Promise<void>
  /** Keys of cameras whose files are in the folders of another key, by that key. */
  readonly renamed: ReadonlyMap<CameraKey, readonly CameraKey[]>
  /** Called for each file that is in the index now. */
  readonly onFound: () => void
}

type IndexedFile = Pick<Segment, 'id' | 'camera' | 'file' | 'bytes' | 'object'>

/** Milliseconds by which a segment can begin later than its file's name says, because its start was taken. */
const numbered = 60_000

/** The key whose folder a file is in. Its camera can have another one. */
export const folderKey = (file: string): CameraKey => cameraKey(basename(dirname(file)))

/** @returns compares the folder of one camera on one day (`2026-11-21`) with the index */
export function folderComparison(
  { folder, store, writer, isOwn, logged, log, signal }: FolderComparisonDeps,
  { folders, recovery, dropMissing, renamed, onFound }: Differences,
): (date: string, key: CameraKey) => Promise<void> {
  const sizeOf = async (file: string): Promise<number> => (await stat(join(folder, file))).size
  const add = async (camera: CameraKey, file: string): Promise<void> => {
    if (await recovery.addToIndex(camera, file, await sizeOf(file))) onFound()
  }
  /** @returns the file if it isn't in the index, and not from this process */
  const checkFile = async (path: string, indexed: Map<string, IndexedFile>): Promise<string | undefined> => {
    const draft = draftNamed(path)
    if (draft?.writer === writer) return undefined
    const file = draft ? await recovery.complete(path, draft.file) : path
    if (file === undefined || !segmentNamed(file)) return undefined
    const row = indexed.get(file)
    indexed.delete(file)
    if (!row) return isOwn(file) ? undefined : file
    const size = await sizeOf(file)
    // The process ended between the two.
    if (row.object !== null) await rm(join(folder, file), { force: true })
    else if (row.bytes !== size) await recovery.reindex(row, size)
    return undefined
  }
  const unlessFailed = async <T>(file: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (err) {
      if (isUnavailable(err)) throw err
      if (!logged.has(file)) log.warn({ file, err }, 'failed to check segment')
      logged.add(file)
      return undefined
    }
  }

  /**
   * The camera of the folder's files that aren't in the index: of one that got another key, unless all others of that day are
   * of the camera that has the folder's key now. It must not get what the other recorded.
   */
  const cameraOf = (key: CameraKey, place: string, rows: ReadonlyMap<string, IndexedFile>): CameraKey => {
    const former = renamed.get(key)?.at(-1)
    if (former === undefined) return key
    const cameras = new Set(
      [...rows.values()].filter(({ file }) => dirname(file) === place).map(({ camera }) => camera),
    )
    return cameras.size === 1 && cameras.has(key) ? key : former
  }

  return async (date, key) => {
    const start = Date.parse(`${date}T00:00:00Z`)
    const place = `${date}/${key}`
    const rowsUntil = async (end: number): Promise<Map<string, IndexedFile>> => {
      const rows: IndexedFile[] = []
      for (const camera of [key, ...(renamed.get(key) ?? [])]) rows.push(...(await store.filesFrom(camera, start, end)))
      return new Map(rows.filter(({ file }) => folderKey(file) === key).map((row) => [row.file, row]))
    }
    const indexed = await rowsUntil(start + day)
    const names = await folders.namesIn(place)
    const unknown: string[] = []
    for (const name of names ?? []) {
      if (signal.aborted) return
      const file = `${place}/${name}`
      const found = await unlessFailed(file, () => checkFile(file, indexed))
      if (found !== undefined) unknown.push(found)
    }
    // This process may have indexed some since the rows were read.
    const known = unknown.length > 0 ? await rowsUntil(start + day + numbered) : indexed
    const camera = cameraOf(key, place, known)
    for (const file of unknown)
      if (!known.has(file) && !signal.aborted) await unlessFailed(file, () => add(camera, file))
    if (names) await dropMissing([...indexed.values()].filter(({ object }) => object === null))
  }
}
