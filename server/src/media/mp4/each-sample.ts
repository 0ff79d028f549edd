import { flagsAt, Fmp4Error } from './box.ts'
import { findDecodeTime, readDecodeTime } from './decode-time.ts'
import { bitsIn, inSample, inTrun, notSync, optional, readDefaults } from './sample-fields.ts'
import type { TrackFragment, TrackRun } from './track-fragment.ts'

/** One sample. Times in ticks of the track. Passed to each visit as the same object: most video passes through here. */
export interface Sample {
  /** Position of its data, and bytes. */
  start: number
  size: number
  /** Decode time. */
  time: number
  duration: number
  /** Time from decoding to presentation. */
  offset: number
  /** Whether it can be decoded without earlier ones. */
  key: boolean
}

/**
 * Visits the samples of a `traf` in decoding order.
 *
 * @throws Fmp4Error if its decode time is missing or incomplete, or if a sample has no data
 */
export function eachSample(data: Buffer, fragment: TrackFragment, visit: (sample: Sample) => void): void {
  const { track, box, runs } = fragment
  const defaults = readDefaults(track, data, box.body, box.end)
  const time = readDecodeTime(data, findDecodeTime(data, box.body, box.end))
  const sample: Sample = { start: 0, size: 0, time, duration: 0, offset: 0, key: false }
  for (const run of runs) eachOfRun(data, run, defaults, sample, visit)
}

function eachOfRun(
  data: Buffer,
  { box: { body }, start }: TrackRun,
  defaults: TrackFragment['track']['defaults'],
  sample: Sample,
  visit: (sample: Sample) => void,
): void {
  const fields = flagsAt(data, body)
  const columns = fields & inSample.all
  const row = 4 * bitsIn(columns)
  const offsetAt = 4 * bitsIn(columns & (inSample.offset - 1))
  const firstFlags = optional(data, body + 8, fields & inTrun.all, inTrun.firstFlags)
  const count = data.readUInt32BE(body + 4)
  let at = body + 8 + 4 * bitsIn(fields & inTrun.all)
  sample.start = start
  for (let index = 0; index < count; index++, at += row) {
    sample.size = optional(data, at, columns, inSample.size) ?? defaults.size
    if (sample.size === 0) throw new Fmp4Error('a sample without data')
    sample.duration = optional(data, at, columns, inSample.duration) ?? defaults.duration
    const flags = optional(data, at, columns, inSample.flags) ?? defaults.flags
    sample.key = ((index === 0 ? (firstFlags ?? flags) : flags) & notSync) === 0
    // Signed in version 1; in version 0, no encoder writes one that large.
    sample.offset = (columns & inSample.offset) === 0 ? 0 : data.readInt32BE(at + offsetAt)
    visit(sample)
    sample.start += sample.size
    sample.time += sample.duration
  }
}
