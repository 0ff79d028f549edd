import { bodyAt, flagsAt, typeOf } from './box.ts'
import type { SampleDefaults, Track } from './init-segment.ts'

const tfhd = typeOf('tfhd')

/** Flags of optional fields, in `tfhd`, in `trun` and in each sample of a `trun`. */
export const inTfhd = { baseOffset: 0x1, duration: 0x8, size: 0x10, flags: 0x20, all: 0x3a }
export const inTrun = { dataOffset: 0x1, firstFlags: 0x4, all: 0x5 }
export const inSample = { duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800, all: 0xf00 }

/** Flag of a sample that needs earlier ones. */
export const notSync = 0x10000

/**
 * What samples have in common: said for this fragment, otherwise for the whole track.
 *
 * @param from body of the `traf`, which ends at `to`
 * @throws Fmp4Error if its `tfhd` is missing or incomplete
 */
export function readDefaults({ defaults }: Track, moof: Buffer, from: number, to: number): SampleDefaults {
  const body = bodyAt(moof, tfhd, from, to, 8)
  const flags = flagsAt(moof, body)
  const fields = flags & inTfhd.all
  const first = body + 8 + ((flags & inTfhd.baseOffset) === 0 ? 0 : 8)
  bodyAt(moof, tfhd, from, to, first - body + 4 * bitsIn(fields))
  return {
    duration: optional(moof, first, fields, inTfhd.duration) ?? defaults.duration,
    size: optional(moof, first, fields, inTfhd.size) ?? defaults.size,
    flags: optional(moof, first, fields, inTfhd.flags) ?? defaults.flags,
  }
}

/**
 * An optional field of 32 bits; undefined if its flag isn't set. The fields whose flags are set follow each other in
 * the order of their flags.
 */
export const optional = (data: Buffer, from: number, flags: number, field: number): number | undefined =>
  (flags & field) === 0 ? undefined : data.readUInt32BE(from + 4 * bitsIn(flags & (field - 1)))

export function bitsIn(flags: number): number {
  let count = 0
  for (let rest = flags; rest !== 0; rest &= rest - 1) count++
  return count
}
