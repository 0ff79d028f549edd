import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { mkdir, open, rename, rm, stat, type FileHandle } from '../../shared/storage/media-disk.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'

/** Maximum bytes of one camera that wait for the disk. Above that, the disk is too slow. */
const waitingLimit = 32 << 20

/** Bytes that wait for the disk, of all drafts of one camera together: a hanging disk delays one draft after another. */
export interface Backlog {
  bytes: number
}

/** Bytes buffered before a write, so that not every frame causes its own write. */
const gathered = 256 << 10

/** Why a file accepts no more data. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
  readonly kind: 'full' | 'read-only' | 'slow' | 'broken'

  constructor(kind: DiskError['kind'], cause?: unknown) {
    super(kind, { cause })
    this.kind = kind
  }
}

export interface SegmentDraft {
  /** Bytes accepted, written or not. */
  readonly bytes: number
  /** Bytes written to the file. */
  readonly written: number
  /** The error after which no more data is accepted. */
  readonly error: DiskError | undefined
  /** Adds whole MP4 boxes. Returns without waiting for the disk. */
  add(data: Buffer): void
  /** Writes the buffered bytes; called every second, for a stream with little data. */
  flush(): void
  /**
   * Flushes everything to the disk and renames the file to `path`.
   *
   * After an error, the whole boxes that are on disk are kept. If the promise rejects, `finish` can be called again.
   *
   * @param onNamed called with the file's path before it has it
   * @returns the file's path, with a number added if `path` is taken; undefined if nothing was written.
   */
  finish(path: string, onNamed: (path: string) => void): Promise<string | undefined>
}

/**
 * A file that grows box by box. It has a draft name until it is complete.
 *
 * @param requireDisk rejects if the disk is missing
 */
export function draftSegment(draft: string, backlog: Backlog, requireDisk: () => Promise<void>): SegmentDraft {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let bytes = 0
  /** Bytes known to be in the file, whole boxes only. */
  let written = 0
  let error: DiskError | undefined
  let file: FileHandle | undefined

  const failed = (cause: unknown): void => {
    error ??= cause instanceof DiskError ? cause : new DiskError(kindOf(cause), cause)
  }
  const limit = pLimit(1)
  const serialized = (work: () => Promise<void>): Promise<void> => limit(() => work().catch(failed))
  void serialized(async () => {
    await requireDisk()
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    file = await open(draft, 'wx', 0o600)
  })

  const flush = (): void => {
    if (pendingBytes === 0 || (error && error.kind !== 'slow')) return
    const [batch, size] = [pending, pendingBytes]
    pending = []
    pendingBytes = 0
    const write = async (): Promise<void> => {
      // Data that waited for a slow disk is still written.
      if (!file || (error && error.kind !== 'slow')) return
      await writeAll(file, batch)
      written += size
    }
    void serialized(write).then(() => void (backlog.bytes -= size))
  }

  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    flush()
    // Data buffered before the error is discarded.
    backlog.bytes -= pendingBytes
    pending = []
    pendingBytes = 0
    await serialized(async () => {})
    if (!file) return
    try {
      // On a full disk, the last write may have ended inside a box.
      if (error) await file.truncate(written)
      await file.datasync().catch(failed)
    } catch (cause) {
      failed(cause)
    } finally {
      await file.close().catch(failed)
    }
  }

  return {
    get bytes() {
      return bytes
    },
    get written() {
      return written
    },
    get error() {
      return error
    },
    add(data) {
      if (error) return
      if (backlog.bytes + data.length > waitingLimit) return failed(new DiskError('slow'))
      backlog.bytes += data.length
      pending.push(data)
      pendingBytes += data.length
      bytes += data.length
      if (pendingBytes >= gathered) flush()
    },
    flush,
    async finish(path, onNamed) {
      await (closed ??= close())
      if (!file) return undefined
      if (written === 0) {
        // While the disk stays full, each try would leave an empty file.
        await rm(draft, { force: true })
        return undefined
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const free = await freePath(path)
      onNamed(free)
      await rename(draft, free)
      return free
    },
  }
}

/** Finds a path that doesn't exist: after the wall clock was set back, two segments can begin at the same time. */
export async function freePath(path: string): Promise<string> {
  for (let count = 0; ; count++) {
    const free = count === 0 ? path : path.replace(/\.mp4$/, `-${count}.mp4`)
    const taken = await stat(free).then(
      () => true,
      () => false,
    )
    if (!taken) return free
  }
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  let rest = Buffer.concat(batch)
  while (rest.length > 0) {
    const { bytesWritten } = await file.write(rest)
    rest = rest.subarray(bytesWritten)
  }
}

export function kindOf(cause: unknown): DiskError['kind'] {
  switch (systemCodeOf(cause)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'read-only'
    default:
      return 'broken'
  }
}
