import { bodyAt, endOf, Fmp4Error, hasBox, headerSize, typeAt, typeOf } from './box.ts'
import { findDecodeTime, readDecodeTime, writeDecodeTime } from './decode-time.ts'
import { initSegmentIn, type Track } from './init-segment.ts'

const [moof, traf, tfhd] = [typeOf('moof'), typeOf('traf'), typeOf('tfhd')]

/**
 * Shifts all times of a file in place, so that its first frame is at `at` seconds. Sizes stay unchanged.
 *
 * A file has a fragment for each frame and more for its audio, and is shifted at each playback: no fragment allocates
 * anything.
 *
 * @param at seconds
 * @throws Fmp4Error if the file is not fragmented MP4 with video; some of its times may then have been shifted
 */
export function shiftTimestamps(file: Buffer, at: number): void {
  const { tracks } = initSegmentIn(file)
  let shift: number | undefined
  eachTime(file, tracks, ({ kind, timescale }, body) => {
    if (kind === 'video') shift ??= at - readDecodeTime(file, body) / timescale
    return shift === undefined
  })
  const seconds = shift
  if (seconds === undefined) throw new Fmp4Error('no video')
  eachTime(file, tracks, ({ timescale }, body) => {
    writeDecodeTime(file, body, Math.max(0, readDecodeTime(file, body) + Math.round(seconds * timescale)))
    return true
  })
}

/** @param visit gets the position of a fragment's decode time, and returns whether to continue */
function eachTime(file: Buffer, tracks: readonly Track[], visit: (track: Track, body: number) => boolean): void {
  for (let box = 0, end = 0; hasBox(box, file.length); box = end) {
    end = endOf(file, box, file.length)
    if (typeAt(file, box) !== moof) continue
    for (let part = box + headerSize, next = 0; hasBox(part, end); part = next) {
      next = endOf(file, part, end)
      if (typeAt(file, part) !== traf) continue
      const id = file.readUInt32BE(bodyAt(file, tfhd, part + headerSize, next, 8) + 4)
      const body = findDecodeTime(file, part + headerSize, next)
      for (const track of tracks) if (track.id === id && !visit(track, body)) return
    }
  }
}
