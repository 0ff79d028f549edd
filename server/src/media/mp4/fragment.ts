import { bodyAt, endOf, findBox, flagsAt, Fmp4Error, hasBox, headerSize, typeAt, typeOf } from './box.ts'
import { findDecodeTime, readDecodeTime } from './decode-time.ts'
import type { InitSegment, Track } from './init-segment.ts'
import { bitsIn, inSample, inTrun, notSync, optional, readDefaults } from './sample-fields.ts'

/** One `moof` with its `mdat`. */
export interface Fragment {
  readonly data: Buffer
  /** Whether it begins with a frame that needs no earlier one. */
  readonly key: boolean
  /** Whether it contains video, and not only audio. */
  readonly video: boolean
  /** Decode time of its first sample, seconds since the stream began. */
  readonly time: number
  /** Seconds. */
  readonly duration: number
  readonly samples: number
  /** Position of the first frame in `data`. */
  readonly first: { readonly start: number; readonly end: number }
}

const [traf, tfhd, trun] = [typeOf('traf'), typeOf('tfhd'), typeOf('trun')]

type Run = Omit<Fragment, 'data'>

/**
 * Reads whole `moof` and `mdat` boxes.
 *
 * @throws Fmp4Error
 */
export function readFragment({ tracks }: InitSegment, moof: Buffer, mdat: Buffer): Fragment {
  let found: Run | undefined
  for (let box = headerSize, end = 0; hasBox(box, moof.length); box = end) {
    end = endOf(moof, box, moof.length)
    if (typeAt(moof, box) !== traf) continue
    const run = readRun(tracks, moof, box + headerSize, end)
    if (run && (!found || (run.video && !found.video))) found = run
  }
  if (!found) throw new Fmp4Error('a fragment without samples')
  const data = joined(moof, mdat)
  const { start, end } = found.first
  const inside = start >= moof.length + headerSize && end <= data.length
  return { data, ...found, first: inside ? found.first : { start: 0, end: 0 } }
}

/** Joins both; copies only if they arrived separately, which is rare: most video passes through here. */
function joined(moof: Buffer, mdat: Buffer): Buffer {
  const adjoin = moof.buffer === mdat.buffer && moof.byteOffset + moof.length === mdat.byteOffset
  return adjoin ? Buffer.from(moof.buffer, moof.byteOffset, moof.length + mdat.length) : Buffer.concat([moof, mdat])
}

function readRun(tracks: readonly Track[], moof: Buffer, from: number, to: number): Run | undefined {
  const track = trackWith(tracks, moof.readUInt32BE(bodyAt(moof, tfhd, from, to, 8) + 4))
  if (!track || findBox(moof, trun, from, to) < 0) return undefined
  const defaults = readDefaults(track, moof, from, to)
  const body = bodyAt(moof, trun, from, to, 8)
  const samples = moof.readUInt32BE(body + 4)
  const fields = flagsAt(moof, body)
  const head = fields & inTrun.all
  const columns = fields & inSample.all
  const row = 4 * bitsIn(columns)
  const first = body + 8 + 4 * bitsIn(head)
  bodyAt(moof, trun, from, to, first - body + samples * row)

  const offset = optional(moof, body + 8, head, inTrun.dataOffset) ?? 0
  const ofFirst = (field: number): number | undefined =>
    samples > 0 ? optional(moof, first, columns, field) : undefined
  const flags = optional(moof, body + 8, head, inTrun.firstFlags) ?? ofFirst(inSample.flags) ?? defaults.flags
  // A loop only over samples that are listed: the number of the others can be anything.
  let ticks = (columns & inSample.duration) === 0 ? samples * defaults.duration : 0
  for (let sample = 0; sample < samples && (columns & inSample.duration) !== 0; sample++) {
    ticks += optional(moof, first + sample * row, columns, inSample.duration) ?? 0
  }
  const video = track.kind === 'video'
  return {
    key: video && samples > 0 && (flags & notSync) === 0,
    video,
    time: readDecodeTime(moof, findDecodeTime(moof, from, to)) / track.timescale,
    duration: ticks / track.timescale,
    samples,
    first: { start: offset, end: samples > 0 ? offset + (ofFirst(inSample.size) ?? defaults.size) : offset },
  }
}

function trackWith(tracks: readonly Track[], id: number): Track | undefined {
  for (const track of tracks) if (track.id === id) return track
  return undefined
}

/**
 * The H.264 or HEVC parameter sets inside a fragment's first frame, as one value to compare. Empty if there are none:
 * then the init segment describes the frame.
 */
export function parameterSetsIn({ data, first }: Fragment, codec: string): Buffer {
  const hevc = codec.startsWith('h')
  if (!hevc && !codec.startsWith('avc')) return Buffer.alloc(0)
  const sets: Buffer[] = []
  for (let at = first.start; at + 5 <= first.end;) {
    const length = data.readUInt32BE(at)
    const kind = hevc ? (data[at + 4]! >> 1) & 0x3f : data[at + 4]! & 0x1f
    const unit = data.subarray(at + 4, Math.min(at + 4 + length, first.end))
    // The sequence parameter set: size, profile and level of the video.
    if (kind === (hevc ? 33 : 7)) sets.push(unit)
    at += 4 + length
  }
  return Buffer.concat(sets)
}
