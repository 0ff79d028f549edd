import { headerSize, makeBox, makeFullBox, words } from './box.ts'
import type { Fragment } from './fragment.ts'
import type { Track } from './init-segment.ts'

/** Samples per AAC frame, at the track's timescale. */
export const frameTicks = 1024

/**
 * One silent frame of plain AAC: a channel element (two channels: a pair with a common window) without a single
 * scale factor band, then the end. ISO/IEC 14496-3, 4.4.2.
 */
const frames = { 1: Buffer.from([0x00, 0x00, 0x00, 0x07]), 2: Buffer.from([0x21, 0x00, 0x00, 0x00, 0x00, 0x1c]) }

/** Silence on an AAC track. @param start in ticks of the track */
export function silence(track: Track, start: number, count: number): Fragment {
  const frame = frames[track.channels === 1 ? 1 : 2]
  const tfhd = makeFullBox('tfhd', 0x02_00_38, words(track.id, frameTicks, frame.length, 0x02_00_00_00))
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(start))
  const tfdt = makeFullBox('tfdt', 0x01_00_00_00, time)
  const moofWith = (offset: number): Buffer => {
    const traf = makeBox('traf', tfhd, tfdt, makeFullBox('trun', 0x01, words(count, offset)))
    return makeBox('moof', makeFullBox('mfhd', 0, words(0)), traf)
  }
  const moof = moofWith(moofWith(0).length + headerSize)
  return {
    data: Buffer.concat([moof, makeBox('mdat', ...Array.from({ length: count }, () => frame))]),
    key: false,
    video: false,
    time: start / track.timescale,
    duration: (count * frameTicks) / track.timescale,
    samples: count,
    first: { start: 0, end: 0 },
  }
}
