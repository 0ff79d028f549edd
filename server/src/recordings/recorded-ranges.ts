import { createClip, type Clip } from './clip.ts'
import type { RecordingStore } from './recording-store.ts'
import type { SegmentBytes } from './segment-bytes.ts'

/** What of a span is recorded, as the index says. Times are Unix milliseconds. */
export interface Coverage {
  /** Of the files that overlap it. */
  readonly bytes: number
  /** Milliseconds recorded in it. */
  readonly recorded: number
  /** Of these, milliseconds that nothing but age or want of space takes away any more. */
  readonly settled: number
  /** Whether what is written at this moment may still add to it. */
  readonly growing: boolean
}

/** Spans of the recordings, for who makes something of them. Throws as {@link createClip} does. */
export interface RecordedRanges {
  survey(camera: string, start: number, end: number): Promise<Coverage>
  clip(camera: string, start: number, end: number): Promise<Clip>
}

/** Milliseconds after which a segment of a camera that moves is not thinned out any more. */
const settledAfter = 60_000

/** Milliseconds within which what was filmed is on disk and in the index: a segment, and the way to the next key frame. */
const indexedAfter = 30_000

/** Segments of one excerpt. */
const max = 200_000

export function createRecordedRanges(parts: {
  readonly bytes: SegmentBytes
  readonly store: Pick<RecordingStore, 'between' | 'entries'>
  readonly isRecording: (camera: string) => boolean
  readonly now: () => number
}): RecordedRanges {
  const { bytes, store, isRecording, now } = parts
  return {
    async survey(camera, start, end) {
      const segments = await store.entries(camera, start, end, max)
      const within = (all: typeof segments): number =>
        all.reduce((sum, each) => sum + Math.min(each.end, end) - Math.max(each.start, start), 0)
      const covered = segments.some((each) => each.end >= end)
      return {
        bytes: segments.reduce((sum, each) => sum + each.bytes, 0),
        recorded: within(segments),
        settled: within(segments.filter((each) => each.end < now() - settledAfter)),
        growing: !covered && end > now() - indexedAfter && isRecording(camera),
      }
    },
    clip: async (camera, start, end) => createClip(bytes, await store.between(camera, start, end, max), start, end),
  }
}
