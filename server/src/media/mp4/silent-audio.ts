import type { Fragment, Track } from './fmp4.ts'

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
  const tfhd = fullBox('tfhd', 0x02_00_38, words(track.id, frameTicks, frame.length, 0x02_00_00_00))
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(start))
  const tfdt = fullBox('tfdt', 0x01_00_00_00, time)
  const rest = (offset: number): Buffer => {
    const traf = box('traf', tfhd, tfdt, fullBox('trun', 0x01, words(count, offset)))
    return box('moof', fullBox('mfhd', 0, words(0)), traf)
  }
  const moof = rest(rest(0).length + 8)
  return {
    data: Buffer.concat([moof, box('mdat', ...Array.from({ length: count }, () => frame))]),
    key: false,
    video: false,
    time: start / track.timescale,
    duration: (count * frameTicks) / track.timescale,
    samples: count,
    first: { start: 0, end: 0 },
  }
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 4, 'latin1')
  const whole = Buffer.concat([head, ...parts])
  whole.writeUInt32BE(whole.length, 0)
  return whole
}

/** @param flags the version in the highest byte */
const fullBox = (type: string, flags: number, body: Buffer): Buffer => box(type, words(flags), body)

function words(...values: readonly number[]): Buffer {
  const body = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) body.writeUInt32BE(value >>> 0, i * 4)
  return body
}
