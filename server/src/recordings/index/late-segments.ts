import type { Runtime } from '../../shared/runtime.ts'
import type { NewSegment } from './recording-store.ts'

export interface LateSegmentsDeps extends Runtime {
  /** Tries again; segments that are still outdated come back to {@link LateSegments.outdated}. */
  readonly add: (segments: readonly NewSegment[]) => Promise<void>
  /** Called with a segment that is in the index now. */
  readonly onAdded: (segment: NewSegment) => void
  /** Takes a file out of the recordings: another instance recorded the same time. */
  readonly quarantine: (segment: NewSegment) => Promise<void>
}

/**
 * Segments that this instance recorded before another one took over the camera, and that reached the index too late. They
 * are added once it's known that they overlap no recording of the other instance, or else quarantined.
 */
export interface LateSegments {
  outdated(segments: readonly NewSegment[]): void
  /** Whether a file is still to be indexed or quarantined. */
  has(file: string): boolean
  /** Forgets a segment whose file was removed: nothing adds it again. */
  forget(file: string): Promise<void>
  stop(): void
}

/** Milliseconds. After `longest`, all that the other instance recorded at the same time is in the index. */
const times = { retry: 20_000, longest: 90_000 }

export function createLateSegments({ add, onAdded, quarantine, clock, log }: LateSegmentsDeps): LateSegments {
  /** When each was first late, by file. */
  const since = new Map<string, number>()
  let waiting: readonly NewSegment[] = []
  /** Files that were outdated since the last retry began. */
  let returned = new Set<string>()
  let retried: Promise<void> = Promise.resolve()

  const reject = async (segment: NewSegment): Promise<void> => {
    const { camera, file } = segment
    log.warn({ camera, file }, 'segment not indexed: another instance recorded the same time')
    await quarantine(segment).catch((err: unknown) => log.warn({ file, err }, 'failed to quarantine segment'))
    since.delete(file)
  }
  const retry = async (): Promise<void> => {
    const all = waiting
    waiting = []
    returned = new Set()
    if (all.length === 0) return
    try {
      await add(all)
    } catch (err) {
      waiting = [...all, ...waiting]
      log.debug({ err }, 'failed to index late segments')
      return
    }
    for (const segment of all) {
      if (returned.has(segment.file)) continue
      since.delete(segment.file)
      onAdded(segment)
    }
  }
  const stopTimer = clock.every(times.retry, () => void (retried = retried.then(retry)))

  return {
    outdated(segments) {
      const now = clock.elapsed()
      for (const segment of segments) {
        returned.add(segment.file)
        const first = since.get(segment.file) ?? now
        since.set(segment.file, first)
        if (now - first >= times.longest) void reject(segment)
        else waiting = [...waiting, segment]
      }
    },
    has: (file) => since.has(file),
    async forget(file) {
      // Until then, it can be added, or come back.
      await retried
      const left = waiting.filter((each) => each.file !== file)
      const waited = left.length < waiting.length
      waiting = left
      if (waited) since.delete(file)
    },
    stop: stopTimer,
  }
}
