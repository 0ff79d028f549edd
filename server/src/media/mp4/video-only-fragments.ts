import {
  boxesIn,
  flagsAt,
  Fmp4Error,
  headerSize,
  lettersOf,
  makeBox,
  makeFullBox,
  typeOf,
  words,
  type Box,
} from './box.ts'
import { fragmentsIn } from './fragment-boxes.ts'
import type { Track } from './init-segment.ts'
import { inTfhd, inTrun } from './sample-fields.ts'
import { baseIsMoof, trackFragmentsIn, type TrackFragment, type TrackRun } from './track-fragment.ts'

const [mfhd, tfhd, trun] = [typeOf('mfhd'), typeOf('tfhd'), typeOf('trun')]

/**
 * Boxes of a `traf` that are copied byte for byte. Others are rejected, above all `saio`, whose offsets would have to
 * change: only encrypted video has one.
 */
const copied = new Set(['tfdt', 'sdtp', 'sbgp', 'sgpd', 'subs'].map(typeOf))

/**
 * Fragments (each a `moof` with its `mdat`) without the samples of their audio tracks, for a caller without the action
 * `audio` (GRANT-2). What is sent is collected from the video's samples, so that nothing else can be in it.
 *
 * A fragment that contains only audio is left out: a caller that gets no bytes sends nothing. A fragment that contains
 * only video is not copied or changed.
 *
 * Called where fragments are sent: `join` and `push` of the viewers, once for all such viewers; `segment` of live
 * HLS, with the tracks of its stream; `video.m4s` of a recorded segment, with its `initBytes` and `bytes` as `from` and
 * `to`; `bytesOf` in `clip.ts`, which also needs {@link padWithFree}.
 *
 * @param tracks all tracks of the original init segment
 * @param from start of the first box to send, in bytes
 * @param to end of the last
 * @throws Fmp4Error if any part of it is in doubt: a box or track that is not known, or samples that overlap or are not
 * in their `mdat`
 */
export function videoOnlyFragments(data: Buffer, tracks: readonly Track[], from = 0, to = data.length): Buffer {
  const parts: Buffer[] = []
  let segmentType: Box | undefined
  for (const { styp, moof, mdat } of fragmentsIn(data, from, to)) {
    segmentType = styp ?? segmentType
    const fragment = videoOnly(data, tracks, moof, mdat)
    if (!fragment) continue
    if (segmentType) parts.push(data.subarray(segmentType.start, segmentType.end))
    segmentType = undefined
    parts.push(fragment)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

/** @returns undefined for a fragment without video */
function videoOnly(data: Buffer, tracks: readonly Track[], head: Box, body: Box): Buffer | undefined {
  const all = trackFragmentsIn(data, tracks, head)
  requireSeparate(all, body)
  const videos = all.filter(({ track }) => track.kind === 'video')
  const runs = runsOf(videos)
  const bytes = runs.reduce((sum, { start, end }) => sum + end - start, 0)
  if (bytes === 0) return undefined
  for (const { type } of videos.flatMap(({ boxes }) => boxes)) {
    if (type !== tfhd && type !== trun && !copied.has(type))
      throw new Fmp4Error(`${lettersOf(type)} in a traf of video`)
  }
  const isWhole = videos.length === all.length && head.end === body.start && bytes === body.end - body.body
  if (isWhole && !videos.some((each) => hasExplicitBase(data, each))) return data.subarray(head.start, body.end)
  // The size of the moof does not depend on the offsets in it.
  const { length } = moofOf(data, head, videos, 0)
  const samples = runs.map(({ start, end }) => data.subarray(start, end))
  return Buffer.concat([moofOf(data, head, videos, length + headerSize), makeBox('mdat', ...samples)])
}

/** All runs of some tracks, in the order of their bytes. */
const runsOf = (trafs: readonly TrackFragment[]): TrackRun[] =>
  trafs.flatMap(({ runs }) => runs).toSorted((a, b) => a.start - b.start || a.end - b.end)

/** Audio must not be reachable as video. @throws Fmp4Error if runs overlap or are not in the `mdat` */
function requireSeparate(trafs: readonly TrackFragment[], { body, end }: Box): void {
  let free = body
  for (const run of runsOf(trafs)) {
    if (run.start < free || run.end > end) throw new Fmp4Error('samples outside their mdat, or twice')
    free = run.end
  }
}

const hasExplicitBase = (data: Buffer, { boxes }: TrackFragment): boolean =>
  boxes.some(({ type, body }) => type === tfhd && (flagsAt(data, body) & inTfhd.baseOffset) !== 0)

/** @param samples position of the first sample, counted from the beginning of the `moof` */
function moofOf(data: Buffer, head: Box, videos: readonly TrackFragment[], samples: number): Buffer {
  const places = new Map<TrackRun, number>()
  let place = samples
  for (const run of runsOf(videos)) {
    places.set(run, place)
    place += run.end - run.start
  }
  const childOf = ({ runs }: TrackFragment, box: Box): Buffer => {
    const run = runs.find((each) => each.box === box)
    if (run) return trunAt(data, run, places.get(run) ?? 0)
    return box.type === tfhd ? relativeTfhd(data, box) : data.subarray(box.start, box.end)
  }
  const headers = boxesIn(data, head.body, head.end).filter(({ type }) => type === mfhd)
  return makeBox(
    'moof',
    ...headers.map(({ start, end }) => data.subarray(start, end)),
    ...videos.map((each) => makeBox('traf', ...each.boxes.map((box) => childOf(each, box)))),
  )
}

/** With offsets that count from the beginning of the `moof`, and nothing else. */
function relativeTfhd(data: Buffer, { body, end }: Box): Buffer {
  const flags = data.readUInt32BE(body)
  const fields = body + 8 + ((flags & inTfhd.baseOffset) === 0 ? 0 : 8)
  return makeFullBox(
    'tfhd',
    (flags & ~inTfhd.baseOffset) | baseIsMoof,
    data.subarray(body + 4, body + 8),
    data.subarray(fields, end),
  )
}

/** @param offset of its first sample, counted from the beginning of the `moof` */
function trunAt(data: Buffer, { box: { body, end } }: TrackRun, offset: number): Buffer {
  const flags = data.readUInt32BE(body)
  const fields = body + 8 + ((flags & inTrun.dataOffset) === 0 ? 0 : 4)
  return makeFullBox(
    'trun',
    flags | inTrun.dataOffset,
    data.subarray(body + 4, body + 8),
    words(offset),
    data.subarray(fields, end),
  )
}
