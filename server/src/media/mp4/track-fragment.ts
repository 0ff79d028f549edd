import { bodyAt, boxesIn, flagsAt, Fmp4Error, lettersOf, readLong, typeOf, type Box } from './box.ts'
import type { Track } from './init-segment.ts'
import { bitsIn, inSample, inTfhd, inTrun, optional, readDefaults } from './sample-fields.ts'

/** A `traf`: the part of a fragment that belongs to one track. */
export interface TrackFragment {
  readonly track: Track
  readonly box: Box
  /** What it contains. */
  readonly boxes: readonly Box[]
  readonly runs: readonly TrackRun[]
}

/** A `trun`, and the bytes of its samples, which follow each other. */
export interface TrackRun {
  readonly box: Box
  readonly start: number
  readonly end: number
}

const [mfhd, traf, tfhd, trun] = [typeOf('mfhd'), typeOf('traf'), typeOf('tfhd'), typeOf('trun')]

/**
 * Reads every `traf` of a `moof`.
 *
 * @param data explicit base offsets (`base_data_offset`) count from its beginning
 * @throws Fmp4Error for a box or a track that is not known
 */
export function trackFragmentsIn(data: Buffer, tracks: readonly Track[], moof: Box): TrackFragment[] {
  const found: TrackFragment[] = []
  let end = moof.start
  for (const box of boxesIn(data, moof.body, moof.end)) {
    if (box.type === mfhd) continue
    if (box.type !== traf) throw new Fmp4Error(`${lettersOf(box.type)} in a moof`)
    const next = readTraf(data, tracks, moof.start, end, box)
    found.push(next)
    end = next.runs.at(-1)?.end ?? end
  }
  return found
}

/** @param previous end of the data of the `traf` before this one; the start of the `moof` before the first */
function readTraf(data: Buffer, tracks: readonly Track[], moof: number, previous: number, box: Box): TrackFragment {
  const { body, end } = box
  const boxes = boxesIn(data, body, end)
  if (boxes.filter(({ type }) => type === tfhd).length !== 1) throw new Fmp4Error('a traf without one tfhd')
  const header = bodyAt(data, tfhd, body, end, 8)
  const id = data.readUInt32BE(header + 4)
  const [track, second] = tracks.filter((each) => each.id === id)
  if (!track || second) throw new Fmp4Error(`a traf of track ${id}, which is not one known track`)
  const { size } = readDefaults(track, data, body, end)
  const base = baseOf(data, header, moof, previous)
  const runs: TrackRun[] = []
  for (const each of boxes) {
    if (each.type === trun) runs.push(readTrun(data, each, base, runs.at(-1)?.end ?? base, size))
  }
  return { track, box, boxes, runs }
}

/** Flag of `tfhd`: offsets count from the beginning of the `moof`. */
export const baseIsMoof = 0x02_00_00

/** What the offsets of a `traf` count from: ISO/IEC 14496-12, 8.8.7. */
function baseOf(data: Buffer, header: number, moof: number, previous: number): number {
  const flags = flagsAt(data, header)
  if ((flags & inTfhd.baseOffset) !== 0) return readLong(data, header + 8)
  return (flags & baseIsMoof) === 0 ? previous : moof
}

/**
 * @param previous end of the run before this one
 * @param size bytes of a sample without its own
 */
function readTrun(data: Buffer, box: Box, base: number, previous: number, size: number): TrackRun {
  const { start, end } = box
  const body = bodyAt(data, trun, start, end, 8)
  const samples = data.readUInt32BE(body + 4)
  const fields = flagsAt(data, body)
  const columns = fields & inSample.all
  const row = 4 * bitsIn(columns)
  const first = body + 8 + 4 * bitsIn(fields & inTrun.all)
  bodyAt(data, trun, start, end, first - body + samples * row)
  const from = (fields & inTrun.dataOffset) === 0 ? previous : base + data.readInt32BE(body + 8)
  let bytes = (columns & inSample.size) === 0 ? samples * size : 0
  for (let sample = 0; sample < samples && (columns & inSample.size) !== 0; sample++) {
    bytes += optional(data, first + sample * row, columns, inSample.size) ?? 0
  }
  return { box, start: from, end: from + bytes }
}
