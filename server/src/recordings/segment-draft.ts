import { dirname } from 'node:path'
import { mkdir, open, rename, rm, stat, type FileHandle } from '../shared/media-disk.ts'

/** Bytes of one camera that may wait for the disk. More of them say that it cannot keep up. */
const waitingLimit = 32 << 20

/** What waits for the disk: of all drafts of one camera together, since a disk that hangs holds up one after another. */
export interface Backlog {
  bytes: number
}

/** Bytes gathered before they are written, so that a frame is no write of its own. */
const gathered = 256 << 10

/** Why nothing more goes into a file, for the one who writes it. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
  readonly kind: 'full' | 'read-only' | 'slow' | 'broken'

  constructor(kind: DiskError['kind'], cause?: unknown) {
    super(kind, { cause })
    this.kind = kind
  }
}

export interface SegmentDraft {
  /** Bytes taken, written or not. */
  readonly bytes: number
  /** Bytes that the disk has taken. */
  readonly written: number
  /** What went wrong; nothing more is taken then. */
  readonly trouble: DiskError | undefined
  /** Whole boxes. Returns at once. */
  add(data: Buffer): void
  /** Writes what is gathered, when a second of it is there and not much. */
  flush(): void
  /**
   * Brings all of it to the disk, and the file to its name.
   *
   * After trouble the whole boxes that are on disk are kept. Where it rejects, it can be tried again.
   *
   * @returns where it lies, beside `path` where that is taken; undefined where nothing of it is there.
   */
  finish(path: string): Promise<string | undefined>
}

/** A file that grows box by box, under a draft's name until it is whole. */
export function draftSegment(draft: string, backlog: Backlog): SegmentDraft {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let bytes = 0
  /** Bytes known to be in the file, all of whole boxes. */
  let written = 0
  let trouble: DiskError | undefined
  let file: FileHandle | undefined

  const failed = (cause: unknown): void => {
    trouble ??= cause instanceof DiskError ? cause : new DiskError(kindOf(cause), cause)
  }
  let work: Promise<void> = (async () => {
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    file = await open(draft, 'wx', 0o600)
  })().catch(failed)

  const flush = (): void => {
    if (pendingBytes === 0 || (trouble && trouble.kind !== 'slow')) return
    const [batch, size] = [pending, pendingBytes]
    pending = []
    pendingBytes = 0
    const write = async (): Promise<void> => {
      // What waited for a slow disk is still written.
      if (!file || (trouble && trouble.kind !== 'slow')) return
      await writeAll(file, batch)
      written += size
    }
    work = work
      .then(write)
      .catch(failed)
      .finally(() => void (backlog.bytes -= size))
  }

  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    flush()
    // What was gathered before the trouble goes nowhere.
    backlog.bytes -= pendingBytes
    pending = []
    pendingBytes = 0
    await work
    if (!file) return
    try {
      // What a full disk took of the last write is no whole box.
      if (trouble) await file.truncate(written)
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
    get trouble() {
      return trouble
    },
    add(data) {
      if (trouble) return
      if (backlog.bytes + data.length > waitingLimit) return failed(new DiskError('slow'))
      backlog.bytes += data.length
      pending.push(data)
      pendingBytes += data.length
      bytes += data.length
      if (pendingBytes >= gathered) flush()
    },
    flush,
    async finish(path) {
      await (closed ??= close())
      if (!file) return undefined
      if (written === 0) {
        // Where the disk stays full for days, each try would leave one.
        await rm(draft, { force: true })
        return undefined
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const free = await freePath(path)
      await rename(draft, free)
      return free
    },
  }
}

/** Where the wall clock was set back, two segments may begin at the same moment. */
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
  switch ((cause as NodeJS.ErrnoException).code) {
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
