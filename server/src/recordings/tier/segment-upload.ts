import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Log } from '../../shared/log.ts'
import { open, rm, rmdir } from '../../shared/storage/media-disk.ts'
import type { ObjectContents, Objects } from '../../shared/storage/objects.ts'
import { objectKey } from './object-key.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import type { RemovalQueue } from '../index/removal-queue.sql.ts'
import type { Usage } from '../storage/usage.ts'

export interface SegmentUploadDeps {
  /** The volume's folder. */
  readonly folder: string
  /** Id of the volume. */
  readonly volume: string
  readonly objects: Pick<Objects, 'put'>
  readonly store: Pick<RecordingStore, 'stored'>
  readonly removals: Pick<RemovalQueue, 'add'>
  readonly usage: Pick<Usage, 'stored'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  readonly log: Log
}

/** Moves segments from the volume to the object storage. */
export interface SegmentUpload {
  /**
   * Stores the segment, has its checksum verified, switches its row, and removes its file, in this order: a kill in between
   * leaves the file, or the object without a row, or the file of a stored segment, and each is cleaned up.
   *
   * @throws ObjectError if the storage fails, ServiceError if the database does, an error of the disk if the file can't be read
   */
  move(segment: Segment, signal: AbortSignal): Promise<void>
  /** Tries again to remove the files that could not be. */
  removeLeft(): Promise<void>
}

/** Bytes read from the disk at a time. */
const chunk = 256 << 10

export function segmentUpload(deps: SegmentUploadDeps): SegmentUpload {
  const { folder, volume, objects, store, removals, usage, requireDisk, log } = deps
  /** Files of stored segments. After a restart, reconcile removes them. */
  const left = new Set<string>()

  const removeFile = async (file: string): Promise<void> => {
    try {
      await requireDisk()
      await rm(join(folder, file), { force: true })
      left.delete(file)
    } catch (err) {
      if (!left.has(file)) log.warn({ file, err }, 'failed to remove the file of a recording in object storage')
      left.add(file)
      return
    }
    // rmdir removes only an empty folder.
    await rmdir(join(folder, dirname(file)))
      .then(() => rmdir(join(folder, dirname(dirname(file)))))
      .catch(() => undefined)
  }

  return {
    async move(segment, signal) {
      const { file, bytes } = segment
      const contents = await contentsOf(join(folder, file), bytes)
      const key = objectKey(volume, file, contents.sha256)
      await objects.put(key, contents, () => beginning(join(folder, file), bytes), signal)
      if (!(await store.stored(segment, key))) {
        // Deleted since the upload began.
        await removals.add([key])
        return
      }
      usage.stored(segment)
      await removeFile(file)
    },
    async removeLeft() {
      for (const file of left) await removeFile(file)
    },
  }
}

async function contentsOf(path: string, bytes: number): Promise<ObjectContents> {
  const hash = createHash('sha256')
  let length = 0
  for await (const data of (await beginning(path, bytes)) as AsyncIterable<Buffer>) {
    hash.update(data)
    length += data.length
  }
  if (length < bytes) throw new Error(`${length} of ${bytes} bytes`)
  return { bytes, sha256: hash.digest('hex') }
}

/** The first bytes of a file. */
async function beginning(path: string, bytes: number): Promise<Readable> {
  const file = await open(path)
  return file.createReadStream({ start: 0, end: bytes - 1, highWaterMark: chunk })
}
