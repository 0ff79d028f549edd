import { expect, test } from 'vitest'
import { Fmp4Error, headerSize, makeBox, makeFullBox, words } from './box.ts'
import { readFragment } from './fragment.ts'
import type { InitSegment, Track } from './init-segment.ts'

const track: Track = {
  id: 1,
  kind: 'video',
  codec: 'avc1.42C00A',
  timescale: 10,
  width: 160,
  height: 120,
  channels: 0,
  defaults: { duration: 1, size: 100, flags: 0x10000 },
}
const init: InitSegment = { data: Buffer.alloc(0), tracks: [track], mime: '' }
const mdat = makeBox('mdat', Buffer.alloc(500))
const tfdt = makeFullBox('tfdt', 0, words(30))

const read = (tfhd: Buffer, trun: Buffer): ReturnType<typeof readFragment> =>
  readFragment(init, makeBox('moof', makeBox('traf', tfhd, tfdt, trun)), mdat)
const tfhd = (flags: number, ...fields: number[]): Buffer => makeFullBox('tfhd', flags, words(1, ...fields))
const trun = (flags: number, samples: number, ...fields: number[]): Buffer =>
  makeFullBox('trun', flags, words(samples, ...fields))
/** Position of the samples after a moof with a `traf` of this many bytes. */
const after = (...boxes: readonly Buffer[]): number =>
  boxes.reduce((sum, { length }) => sum + length, 2 * headerSize + tfdt.length) + headerSize

test.each([
  ['defaults of the track', tfhd(0), trun(0, 3), { duration: 0.3, key: false, samples: 3 }],
  ['a default duration', tfhd(0x8, 5), trun(0, 3), { duration: 1.5, key: false }],
  ['default flags', tfhd(0x20, 0), trun(0, 1), { duration: 0.1, key: true }],
  [
    'all defaults, a base offset and a description',
    tfhd(0x3b, 0, 0, 1, 4, 50, 0),
    trun(0, 2),
    { duration: 0.8, key: true },
  ],
  ['flags of the first sample', tfhd(0), trun(0x5, 2, 0, 0), { key: true, samples: 2 }],
  ['flags of each sample', tfhd(0), trun(0x400, 2, 0, 0x10000), { key: true }],
  ['durations of each sample', tfhd(0), trun(0x100, 2, 3, 4), { duration: 0.7, key: false }],
  ['durations, sizes and flags', tfhd(0), trun(0x700, 2, 3, 9, 0, 4, 9, 0x10000), { duration: 0.7, key: true }],
  ['no samples', tfhd(0x20, 0), trun(0, 0), { duration: 0, key: false, samples: 0 }],
  ['fields of each sample, but no samples', tfhd(0), trun(0x700, 0), { duration: 0, key: false, samples: 0 }],
  ['more samples than there can be', tfhd(0), trun(0, 0xffff_ffff), { samples: 0xffff_ffff }],
])('a fragment with %s', (_what, header, run, expected) => {
  expect(read(header, run)).toMatchObject({ time: 3, video: true, ...expected })
})

test('the first frame is where the offset says, as long as it is inside', () => {
  const header = tfhd(0)
  const at = after(header, trun(0x201, 1, 0, 0))
  expect(read(header, trun(0x201, 1, at, 77)).first).toEqual({ start: at, end: at + 77 })
  expect(read(header, trun(0x201, 1, at, 501)).first).toEqual({ start: 0, end: 0 })
  expect(read(header, trun(0x201, 1, at - 1, 77)).first).toEqual({ start: 0, end: 0 })
})

test.each([
  ['fields that its flags announce, in tfhd', makeFullBox('tfhd', 0x38, words(1, 1, 1)), trun(0, 1)],
  ['fields that its flags announce, in trun', tfhd(0), makeFullBox('trun', 0x5, words(1, 1))],
  ['a sample', tfhd(0), trun(0x300, 2, 1, 1, 1)],
  ['any run', tfhd(0), makeBox('free')],
  ['a track of the stream', makeFullBox('tfhd', 0, words(2)), trun(0, 1)],
])('a fragment without %s is rejected', (_what, header, run) => {
  expect(() => read(header, run)).toThrow(Fmp4Error)
})
