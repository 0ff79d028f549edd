import { createFmp4Parser, Fmp4Error, type Track } from './fmp4.ts'

/** Box types, ISO/IEC 14496-12. */
const types = { moov: 0x6d6f6f76, moof: 0x6d6f6f66, traf: 0x74726166, tfhd: 0x74666864, tfdt: 0x74666474 }

/**
 * Shifts all times of a file in place, so that its first frame is at `at` seconds. Sizes stay unchanged.
 *
 * A file has a fragment for each frame and more for its audio, and is shifted at each playback: skipped boxes allocate
 * nothing.
 *
 * @param at seconds
 * @throws Fmp4Error if the file is not fragmented MP4 with video
 */
export function shiftTimestamps(file: Buffer, at: number): void {
  let tracks: readonly Track[] = []
  let shift: number | undefined
  /** Positions of the times, with their units. */
  const places: { readonly tfdt: number; readonly timescale: number }[] = []
  for (let box = 0, end = 0; box + 8 <= file.length; box = end) {
    end = endOf(file, box, file.length)
    const type = file.readUInt32BE(box + 4)
    if (type === types.moov) tracks = tracksIn(file.subarray(0, end))
    if (type !== types.moof) continue
    for (let traf = box + 8, next = 0; traf + 8 <= end; traf = next) {
      next = endOf(file, traf, end)
      if (file.readUInt32BE(traf + 4) !== types.traf) continue
      const tfhd = bodyOf(file, types.tfhd, traf + 8, next)
      const tfdt = bodyOf(file, types.tfdt, traf + 8, next)
      const track = tracks.find(({ id }) => id === file.readUInt32BE(tfhd + 4))
      if (!track) continue
      places.push({ tfdt, timescale: track.timescale })
      if (track.kind === 'video') shift ??= at - timeAt(file, tfdt) / track.timescale
    }
  }
  if (shift === undefined) throw new Fmp4Error('no picture')
  for (const { tfdt, timescale } of places) {
    const time = Math.max(0, timeAt(file, tfdt) + Math.round(shift * timescale))
    if (isLong(file, tfdt)) file.writeBigUInt64BE(BigInt(time), tfdt + 4)
    else file.writeUInt32BE(time, tfdt + 4)
  }
}

function tracksIn(head: Buffer): readonly Track[] {
  let tracks: readonly Track[] = []
  createFmp4Parser({ init: (init) => void (tracks = init.tracks), fragment: () => {} }).write(head)
  return tracks
}

function endOf(file: Buffer, box: number, limit: number): number {
  const size = file.readUInt32BE(box)
  if (size < 8 || box + size > limit) throw new Fmp4Error('a box that leaves its parent')
  return box + size
}

/** Start of the body of the first `tfhd` or `tfdt` in a range. */
function bodyOf(file: Buffer, type: number, from: number, to: number): number {
  for (let box = from, end = 0; box + 8 <= to; box = end) {
    end = endOf(file, box, to)
    if (file.readUInt32BE(box + 4) !== type) continue
    const body = box + 8
    const length = type === types.tfdt && isLong(file, body) ? 12 : 8
    if (body + length > end) break
    return body
  }
  throw new Fmp4Error('a fragment without a whole tfhd or tfdt')
}

/** Whether the time has 64 bits. */
const isLong = (file: Buffer, tfdt: number): boolean => file[tfdt] === 1

const timeAt = (file: Buffer, tfdt: number): number =>
  isLong(file, tfdt) ? Number(file.readBigUInt64BE(tfdt + 4)) : file.readUInt32BE(tfdt + 4)
