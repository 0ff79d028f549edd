import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { initSegmentIn } from '../media/mp4/init-segment.ts'
import { joinedInit } from '../media/mp4/joined-init.ts'
import { padWithFree } from '../media/mp4/pad-with-free.ts'
import { videoOnlyFragments } from '../media/mp4/video-only-fragments.ts'
import { videoOnlyInit } from '../media/mp4/video-only-init.ts'
import { ServiceError } from '../shared/errors.ts'
import { chunks } from '../shared/http/chunks.ts'
import { streamOf } from '../shared/http/stream-of.ts'
import { cutSegment, type Cut } from './segments/cut-segment.ts'
import type { PlayedPart } from './one-history.ts'
import { inPlayOrder } from './playlist.ts'
import type { Segment } from './index/recording-store.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'
import type { RecordingReasons } from './reasons.ts'

/** One MP4 made of recorded segments. The same range always gives the same bytes. */
export interface Clip {
  readonly size: number
  readonly etag: string
  /** Seconds from the first frame, a key frame, to the requested start; 0 if the clip begins later. */
  readonly lead: number
  /** Seconds of video from there to the requested end. */
  readonly length: number
  /** The init segment. */
  readonly head: Buffer
  /** Reads the bytes `from` to `to`, end exclusive. */
  read(from: number, to: number): Readable
  /** Reads the files, always with audio, the next one when it is asked for. The caller owns their memory. */
  files(signal: AbortSignal): AsyncIterable<ClipFile>
}

/** A segment's file, with timestamps shifted to its place in the clip. */
export interface ClipFile {
  readonly data: Buffer
  /** Bytes of `data` that belong to the clip, end exclusive. */
  readonly from: number
  readonly to: number
}

type ClipBytes = Pick<SegmentBytes, 'head' | 'of' | 'at'>

export interface ClipRange {
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  /** false: without audio (GRANT-2). What is taken out is replaced by padding, so that sizes are known beforehand. */
  readonly audio: boolean
}

/** The bytes of one segment file that belong to the clip, and their position in the clip. */
interface Part {
  readonly segment: Segment
  /** Byte offsets in the segment file, end exclusive. */
  readonly from: number
  readonly to: number
  /** Byte offset in the clip. */
  readonly place: number
  /** Seconds in the clip at which the file's first frame would play; negative if the clip begins inside the file. */
  readonly at: number
}

/**
 * Joins segments without decoding: from the key frame at or before `start` to the first frame at or after `end`.
 *
 * @param recorded sorted by start, at least one
 * @throws ServiceError `conflict` if the format of the video or audio changes in between, `not-found` if a file is missing
 */
export async function createClip(
  bytes: ClipBytes,
  recorded: readonly PlayedPart<Segment>[],
  { start, end, audio }: ClipRange,
): Promise<Clip> {
  const segments = inPlayOrder(recorded)
  const head = await headOf(bytes, segments, audio)
  const parts: Part[] = []
  let size = head.length
  let at = 0
  let lead: number | undefined
  let lastFrame = 0
  for (const segment of segments) {
    const edge =
      segment.start < start || segment.end > end || segment.fileEnd !== undefined || segment === segments.at(-1)
    const isReplaced = segment.fileEnd !== undefined && segment.end < end
    const until = isReplaced ? segment.end : end
    const { from, to, skipped, duration, last } = edge
      ? cutSegment(await bytes.of(segment), segment, { start, end: until, ends: isReplaced ? 'replaced' : 'complete' })
      : { from: segment.initBytes, to: segment.bytes, skipped: 0, ...whole(segment) }
    if (to <= from) continue
    lead ??= Math.max(0, start - segment.start - skipped) / 1000
    lastFrame = at + last / 1000
    parts.push({ segment, from, to, place: size, at: at - skipped / 1000 })
    size += to - from
    at += duration / 1000
  }
  if (parts.length === 0) throw new ServiceError<RecordingReasons>('not-found', { reason: 'nothing-recorded' })

  // While a camera stalls, a player shows its last frame.
  const led = Math.min(lead ?? 0, lastFrame)
  const names = parts.map(({ segment, from, to }) => `${segment.file}:${from}-${to}`)
  const etag = `"${createHash('sha256')
    .update([...names, audio].join())
    .digest('base64url')
    .slice(0, 22)}"`
  return {
    size,
    etag,
    lead: led,
    length: at - led,
    head,
    read(from, to) {
      const ending = new AbortController()
      const contents = { head, parts, audio, signal: ending.signal }
      return streamOf(bytesOf(bytes, contents, from, to), () => ending.abort())
    },
    async *files(signal) {
      for (const { segment, at, from, to } of parts) yield { data: await bytes.at(segment, at, signal), from, to }
    },
  }
}

interface Contents {
  /** The init segment. */
  readonly head: Buffer
  readonly parts: readonly Part[]
  readonly audio: boolean
  /** Ends a read once no one reads the stream anymore. */
  readonly signal: AbortSignal
}

async function* bytesOf(bytes: ClipBytes, { head, parts, audio, signal }: Contents, from: number, to: number) {
  if (from < head.length) yield (audio ? head : withoutAudio(head)).subarray(from, to)
  for (const { segment, place, at, ...file } of parts) {
    const [begin, end] = [Math.max(from, place), Math.min(to, place + file.to - file.from)]
    if (begin >= end) continue
    const data = await bytes.at(segment, at, signal)
    const part = audio ? data.subarray(file.from, file.to) : partWithoutAudio(data, segment, file)
    yield* chunks(part.subarray(begin - place, end - place))
  }
}

const withoutAudio = (head: Buffer): Buffer => padWithFree(videoOnlyInit(initSegmentIn(head)).data, head.length)

/** @param data the whole file, whose init segment can have audio that others don't */
const partWithoutAudio = (
  data: Buffer,
  { initBytes }: Pick<Segment, 'initBytes'>,
  { from, to }: Pick<Part, 'from' | 'to'>,
): Buffer =>
  padWithFree(videoOnlyFragments(data, initSegmentIn(data.subarray(0, initBytes)).tracks, from, to), to - from)

/** A segment in the middle isn't parsed; its frames are assumed to last until its end. */
const whole = ({ start, end }: Segment): Pick<Cut, 'duration' | 'last'> => ({
  duration: end - start,
  last: end - start,
})

/**
 * The init segment that describes all segments: an MP4 file has one description of each track. Runs in which a camera
 * sent no audio have none in the clip.
 *
 * @throws ServiceError `conflict` if the format of the video changes in between, or that of the audio, if it's included
 */
async function headOf(bytes: ClipBytes, segments: readonly Segment[], audio: boolean): Promise<Buffer> {
  const seen = new Set<number>()
  let head: Buffer | undefined
  for (const segment of segments) {
    if (seen.has(segment.streamId)) continue
    seen.add(segment.streamId)
    const next = await bytes.head(segment)
    const joined = head ? joinedInit(head, next) : next
    if (joined === 'video' || (joined === 'audio' && audio)) throw formatChanged(joined, segment.start)
    if (joined !== 'audio') head = joined
  }
  if (!head) throw new ServiceError<RecordingReasons>('not-found', { reason: 'nothing-recorded' })
  return head
}

function formatChanged(kind: 'video' | 'audio', start: number): ServiceError {
  const at = new Date(start).toISOString()
  const changed = { values: { at }, note: `It changed at ${at}.` }
  return kind === 'video'
    ? new ServiceError<RecordingReasons>('conflict', { reason: 'video-format-changed', ...changed })
    : new ServiceError<RecordingReasons>('conflict', { reason: 'audio-format-changed', ...changed })
}
