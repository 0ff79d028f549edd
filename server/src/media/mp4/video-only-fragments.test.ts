import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { audioLeft, codecs, ffmpeg, makeVideo, packetsIn } from '../../../test/support/video-with-audio.ts'
import { boxesIn, Fmp4Error, lettersOf, makeBox, makeFullBox, typeOf, words, writeLong, type Box } from './box.ts'
import { createFmp4Parser } from './fmp4-parser.ts'
import type { Fragment } from './fragment.ts'
import { initSegmentIn, type InitSegment, type Track } from './init-segment.ts'
import { padWithFree } from './pad-with-free.ts'
import { videoOnlyFragments } from './video-only-fragments.ts'
import { videoOnlyInit } from './video-only-init.ts'

const trackOf = (id: number, kind: Track['kind']): Track => ({
  id,
  kind,
  codec: '',
  timescale: 10,
  width: 0,
  height: 0,
  channels: 0,
  defaults: { duration: 1, size: kind === 'video' ? 5 : 3, flags: 0 },
})
const tracks = [trackOf(1, 'video'), trackOf(2, 'audio'), trackOf(3, 'video'), trackOf(4, 'other')]

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  writeLong(bytes, 0, value)
  return bytes
}
/** With a size of 64 bits. */
const largeBox = (letters: string, ...bodies: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(bodies)
  return Buffer.concat([words(1, typeOf(letters)), long(16 + body.length), body])
}

const mfhd = makeFullBox('mfhd', 0, words(7))
const tfdt = makeFullBox('tfdt', 0, words(30))
const tfhd = (track: number): Buffer => makeFullBox('tfhd', 0x02_00_00, words(track))
const trun = (samples: number, offset: number): Buffer => makeFullBox('trun', 0x01, words(samples, offset))
const traf = (track: number, ...boxes: readonly Buffer[]): Buffer => makeBox('traf', tfhd(track), tfdt, ...boxes)

/** A fragment. @param boxes of its `moof`, given where the first sample is: counted from its beginning */
function fragmentOf(bytes: string, boxes: (samples: number) => readonly Buffer[]): Buffer {
  const size = makeBox('moof', ...boxes(0)).length
  return Buffer.concat([makeBox('moof', ...boxes(size + 8)), makeBox('mdat', Buffer.from(bytes))])
}
const mixed = fragmentOf('VIDEOaud', (at) => [mfhd, traf(1, trun(1, at)), traf(2, trun(1, at + 5))])
const kept = fragmentOf('VIDEO', (at) => [mfhd, traf(1, trun(1, at))])
const onlyAudio = fragmentOf('aud', (at) => [mfhd, traf(2, trun(1, at))])
const mdatAt = mixed.readUInt32BE(0)
const [head, samples] = [mixed.subarray(0, mdatAt), mixed.subarray(mdatAt)]
/** With a `free` box before its `mdat`. */
const padded = ((): Buffer => {
  const fragment = fragmentOf('VIDEO', (at) => [mfhd, traf(1, trun(1, at + 11))])
  const moof = fragment.subarray(0, fragment.readUInt32BE(0))
  return Buffer.concat([moof, makeBox('free', Buffer.from('aud')), fragment.subarray(moof.length)])
})()
const styp = makeBox('styp', Buffer.from('msdh'))
const nothing = Buffer.alloc(0)

test.each<[what: string, data: Buffer, expected: Buffer]>([
  ['nothing', nothing, nothing],
  ['video and audio', mixed, kept],
  ['only audio', onlyAudio, nothing],
  ['only video', kept, kept],
  ['several', Buffer.concat([onlyAudio, mixed, onlyAudio, kept]), Buffer.concat([kept, kept])],
  ['a segment type', Buffer.concat([styp, mixed, kept]), Buffer.concat([styp, kept, kept])],
  ['a segment type before audio', Buffer.concat([styp, onlyAudio]), nothing],
  ['a segment type before audio, then video', Buffer.concat([styp, onlyAudio, kept]), Buffer.concat([styp, kept])],
  [
    'indexes and padding',
    Buffer.concat([makeBox('sidx', words(1)), mixed, makeBox('free'), makeBox('skip'), makeBox('mfra', words(1))]),
    kept,
  ],
  ['audio without bytes', fragmentOf('VIDEO', (at) => [mfhd, traf(1, trun(1, at)), traf(2, trun(0, at))]), kept],
  ['padding between its boxes', padded, kept],
  ['indexes beside video only', Buffer.concat([makeBox('sidx'), makeBox('ssix'), kept, makeBox('mfra')]), kept],
])('of fragments with %s, the video is kept byte for byte', (_what, data, expected) => {
  expect(videoOnlyFragments(data, tracks)).toEqual(expected)
})

/** Whether both are the same memory: small buffers have a common one. */
const isPartOf = (part: Buffer, whole: Buffer): boolean =>
  part.buffer === whole.buffer &&
  part.byteOffset >= whole.byteOffset &&
  part.byteOffset + part.length <= whole.byteOffset + whole.length

test('a fragment without audio is not copied', () => {
  expect(isPartOf(videoOnlyFragments(kept, tracks), kept)).toBe(true)
  expect(isPartOf(videoOnlyFragments(mixed, tracks), mixed)).toBe(false)
})

test('only the boxes of a range are read, and its end has to be that of a box', () => {
  const data = Buffer.concat([makeBox('moov'), mixed, onlyAudio, makeBox('moov')])
  const [from, to] = [8, data.length - 8]
  expect(videoOnlyFragments(data, tracks, from, to)).toEqual(kept)
  for (const [begin, end] of [
    [0, to],
    [from, to - 1],
    [from, data.length],
    [from, data.length + 8],
    [from + 1, to],
  ] as const) {
    expect(() => videoOnlyFragments(data, tracks, begin, end), `${begin} to ${end}`).toThrow(Fmp4Error)
  }
})

/** A sample's bytes: video from 0, audio and text from 128 on. */
interface MadeRun {
  readonly track: number
  readonly samples: readonly Buffer[]
  /** Where the bytes of the sizes are. */
  readonly sizes: 'each' | 'tfhd' | 'track'
}
type Base = 'moof' | 'explicit' | 'implied'

/** A fragment of any layout, each `traf` with one or two runs, whose bytes lie in `order`, with gaps between them. */
interface Layout {
  readonly trafs: readonly (readonly MadeRun[])[]
  readonly base: Base
  readonly order: readonly number[]
  readonly gap: number
  readonly isLarge: boolean
}

const layouts: fc.Arbitrary<Layout> = fc
  .array(
    fc.record({
      track: fc.constantFrom(1, 2, 2, 3, 4),
      lengths: fc.array(fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
      sizes: fc.constantFrom('each' as const, 'tfhd' as const, 'track' as const),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain((trafs) => {
    let byte = 0
    const sample = (track: number, length: number): Buffer =>
      Buffer.alloc(length, (track % 2 === 0 ? 128 : 0) + (byte++ % 128))
    const made = trafs.map(({ track, lengths, sizes }) =>
      lengths.map((run): MadeRun => {
        const fixed = { each: undefined, tfhd: 4, track: tracks[track - 1]!.defaults.size }[sizes]
        return { track, sizes, samples: run.map((length) => sample(track, fixed ?? length)) }
      }),
    )
    const count = made.flat().length
    return fc.record({
      trafs: fc.constant(made),
      base: fc.constantFrom<Base>('moof', 'explicit', 'implied'),
      order: fc.shuffledSubarray(
        Array.from({ length: count }, (_, i) => i),
        { minLength: count },
      ),
      gap: fc.nat(3),
      isLarge: fc.boolean(),
    })
  })

/** @param at position of the `moof`. @param body of the samples, both in the file */
function madeMoof({ trafs, base, isLarge }: Layout, at: number, places: ReadonlyMap<MadeRun, number>): Buffer {
  let previous = at
  const boxes = trafs.map((runs) => {
    const { track, sizes } = runs[0]!
    const from = base === 'implied' ? previous : base === 'moof' ? at : 3
    const flags = (base === 'explicit' ? 0x1 : base === 'moof' ? 0x02_00_00 : 0) | (sizes === 'tfhd' ? 0x10 : 0)
    const fields = [...(base === 'explicit' ? [long(3)] : []), ...(sizes === 'tfhd' ? [words(4)] : [])]
    const truns = runs.map((run) => {
      const start = places.get(run) ?? 0
      const isNext = start === previous
      previous = start + Buffer.concat(run.samples).length
      const columns = sizes === 'each' ? run.samples.flatMap(({ length }) => [9, length]) : run.samples.map(() => 9)
      // Without an offset, if it is where the last one ended. Each sample has a duration of 9.
      const hasOffset = !(isNext && run !== runs[0])
      const head = hasOffset ? [run.samples.length, start - from] : [run.samples.length]
      return makeFullBox(
        'trun',
        (hasOffset ? 1 : 0) | 0x100 | (sizes === 'each' ? 0x200 : 0),
        words(...head, ...columns),
      )
    })
    return makeBox('traf', makeFullBox('tfhd', flags, words(track), ...fields), tfdt, ...truns)
  })
  return (isLarge ? largeBox : makeBox)('moof', mfhd, ...boxes)
}

/** @param at position in the file, which begins with other bytes */
function madeFragment(layout: Layout, at: number): Buffer {
  const runs = layout.order.map((i) => layout.trafs.flat()[i]!)
  const placesFrom = (body: number): ReadonlyMap<MadeRun, number> => {
    let place = body
    return new Map(
      runs.map((run) => {
        const start = place
        place += Buffer.concat(run.samples).length + layout.gap
        return [run, start]
      }),
    )
  }
  // Whether a run has an offset depends on the places, and so does the size: until both agree.
  let body = at
  for (let tries = 0; tries < 3; tries++) {
    body = at + madeMoof(layout, at, placesFrom(body)).length + (layout.isLarge ? 16 : 8)
  }
  const bytes = runs.flatMap(({ samples }) => [...samples, Buffer.alloc(layout.gap, 255)])
  return Buffer.concat([
    madeMoof(layout, at, placesFrom(body)),
    (layout.isLarge ? largeBox : makeBox)('mdat', ...bytes),
  ])
}

const isType = (letters: string) => (box: Box) => box.type === typeOf(letters)

/** A reader of what is promised: offsets from the `moof` on, in each `trun`. */
function samplesIn(fragment: Buffer): { track: number; bytes: string }[] {
  const [moof, mdat, ...more] = boxesIn(fragment, 0, fragment.length)
  expect([moof, mdat].map((box) => lettersOf(box!.type))).toEqual(['moof', 'mdat'])
  expect(more).toEqual([])
  return boxesIn(fragment, moof!.body, moof!.end)
    .filter(isType('traf'))
    .flatMap(({ body, end }) => {
      const boxes = boxesIn(fragment, body, end)
      const header = boxes.find(isType('tfhd'))!.body
      const [flags, track] = [fragment.readUInt32BE(header), fragment.readUInt32BE(header + 4)]
      expect(flags & 0x02_00_01).toBe(0x02_00_00)
      const common = (flags & 0x10) === 0 ? tracks[track - 1]!.defaults.size : fragment.readUInt32BE(header + 8)
      return boxes.filter(isType('trun')).flatMap((run) => {
        const hasSizes = (fragment.readUInt32BE(run.body) & 0x200) !== 0
        expect(fragment.readUInt32BE(run.body) & 1).toBe(1)
        let place = fragment.readInt32BE(run.body + 8)
        return Array.from({ length: fragment.readUInt32BE(run.body + 4) }, (_, i) => {
          const row = run.body + 12 + i * (hasSizes ? 8 : 4)
          expect(fragment.readUInt32BE(row)).toBe(9)
          const size = hasSizes ? fragment.readUInt32BE(row + 4) : common
          return { track, bytes: fragment.toString('hex', place, (place += size)) }
        })
      })
    })
}

test('of any layout, exactly the samples of the video remain', () => {
  fc.assert(
    fc.property(layouts, fc.constantFrom(0, 3, 100), (layout, at) => {
      const file = Buffer.concat([Buffer.alloc(at, 255), madeFragment(layout, at)])
      const result = videoOnlyFragments(file, tracks, at)
      const videos = layout.trafs.flat().filter(({ track }) => track % 2 === 1)
      const expected = videos.flatMap(({ track, samples }) =>
        samples.map((bytes) => ({ track, bytes: bytes.toString('hex') })),
      )
      if (expected.every(({ bytes }) => bytes === '')) {
        expect(result).toEqual(nothing)
        return
      }
      if (!isPartOf(result, file)) expect(samplesIn(result)).toEqual(expected)
      const [, mdat] = boxesIn(result, 0, result.length)
      expect(result.subarray(mdat!.body).every((byte) => byte < 128)).toBe(true)
      expect(result.length - mdat!.body).toBe(expected.reduce((sum, { bytes }) => sum + bytes.length / 2, 0))
      expect(videoOnlyFragments(result, tracks)).toEqual(result)
    }),
    { numRuns: 500 },
  )
})

const changed = (data: Buffer, change: (data: Buffer) => void): Buffer => {
  const copy = Buffer.from(data)
  change(copy)
  return copy
}
const broken = (boxes: (samples: number) => readonly Buffer[]): Buffer => fragmentOf('x'.repeat(20), boxes)

test.each<[what: string, data: Buffer]>([
  ['a moof that is cut', mixed.subarray(0, 50)],
  ['a moof without mdat', head],
  ['an mdat that is cut', mixed.subarray(0, -1)],
  ['an mdat without moof', samples],
  ['two mdats', Buffer.concat([mixed, samples])],
  ['two moofs before an mdat', Buffer.concat([head, mixed])],
  ['a header that is cut', Buffer.concat([mixed, words(8)])],
  ['a moof of size 0', changed(mixed, (data) => data.writeUInt32BE(0, 0))],
  ['an mdat of size 0', changed(mixed, (data) => data.writeUInt32BE(0, mdatAt))],
  ['an mdat of size 7', changed(mixed, (data) => data.writeUInt32BE(7, mdatAt))],
  ['an mdat of 4 GB', changed(mixed, (data) => data.writeUInt32BE(0xffff_ffff, mdatAt))],
  ['a size of 64 bits that is cut', Buffer.concat([mixed, words(1, typeOf('free'), 0)])],
  ['a size of 64 bits below its header', Buffer.concat([mixed, words(1, typeOf('free'), 0, 15)])],
  ['a size of 64 bits beyond the end', Buffer.concat([mixed, words(1, typeOf('free'), 1, 16)])],
  ['a size that a number cannot express', Buffer.concat([mixed, words(1, typeOf('free'), 0xffff_ffff, 0xffff_ffff)])],
  ['a traf of size 0', changed(mixed, (data) => data.writeUInt32BE(0, head.indexOf('traf') - 4))],
  ['a traf beyond its moof', changed(mixed, (data) => data.writeUInt32BE(0xffff, head.lastIndexOf('traf') - 4))],
  ['a trun of size 0', changed(mixed, (data) => data.writeUInt32BE(0, head.indexOf('trun') - 4))],
  ['an init segment', Buffer.concat([makeBox('moov'), mixed])],
  ['a box that is not known', Buffer.concat([mixed, makeBox('uuid', Buffer.from('audio'))])],
  ['a box in the moof that is not known', broken((at) => [mfhd, traf(1, trun(1, at)), makeBox('uuid')])],
  ['a box in the traf that is not known', broken((at) => [mfhd, traf(1, trun(1, at), makeBox('uuid'))])],
  [
    'auxiliary information of the video',
    broken((at) => [mfhd, traf(1, trun(1, at), makeBox('saiz'), makeBox('saio'))]),
  ],
  ['a traf without tfhd', broken((at) => [mfhd, makeBox('traf', tfdt, trun(1, at))])],
  ['a traf with two tfhd', broken((at) => [mfhd, traf(1, tfhd(2), trun(1, at))])],
  [
    'a tfhd without its fields',
    broken((at) => [mfhd, makeBox('traf', makeFullBox('tfhd', 0x10, words(1)), trun(1, at))]),
  ],
  ['a tfhd without its base', broken((at) => [mfhd, makeBox('traf', makeFullBox('tfhd', 0x1, words(1)), trun(1, at))])],
  ['an unknown track', broken((at) => [mfhd, traf(1, trun(1, at)), traf(9, trun(1, at + 5))])],
  ['a trun without its fields', broken(() => [mfhd, traf(1, makeFullBox('trun', 0x01, words(1)))])],
  ['a trun without its samples', broken((at) => [mfhd, traf(1, makeFullBox('trun', 0x201, words(3, at, 1, 1)))])],
  ['4 billion sizes', broken((at) => [mfhd, traf(1, makeFullBox('trun', 0x201, words(0xffff_ffff, at)))])],
  ['4 billion samples', broken((at) => [mfhd, traf(1, trun(0xffff_ffff, at))])],
  ['samples before the mdat', broken((at) => [mfhd, traf(1, trun(1, at - 1))])],
  ['samples before the moof', broken(() => [mfhd, traf(1, trun(1, -100))])],
  ['samples after the mdat', broken((at) => [mfhd, traf(1, trun(1, at + 16))])],
  ['audio outside the mdat', broken((at) => [mfhd, traf(1, trun(1, at)), traf(2, trun(1, at - 1))])],
  ['audio that is also video', broken((at) => [mfhd, traf(1, trun(2, at)), traf(2, trun(1, at + 9))])],
  ['video that is also audio', broken((at) => [mfhd, traf(1, trun(1, at + 8)), traf(2, trun(3, at))])],
  ['video twice', broken((at) => [mfhd, traf(1, trun(1, at), trun(1, at))])],
])('%s is rejected', (_what, data) => {
  expect(() => videoOnlyFragments(data, tracks)).toThrow(Fmp4Error)
})

test('what is rejected in a traf of video is left out with that of audio', () => {
  const more = [makeBox('saio'), makeBox('uuid')]
  const data = fragmentOf('VIDEOaud', (at) => [mfhd, traf(1, trun(1, at)), traf(2, trun(1, at + 5), ...more)])
  expect(videoOnlyFragments(data, tracks)).toEqual(kept)
})

test('a box that ends after the data is rejected, even if the range does not', () => {
  expect(() => videoOnlyFragments(mixed.subarray(0, -1), tracks, 0, mixed.length)).toThrow(Fmp4Error)
})

test('a track of the init segment that exists twice is rejected', () => {
  expect(() => videoOnlyFragments(mixed, [...tracks, trackOf(1, 'audio')])).toThrow(Fmp4Error)
})

const flags = (more: string): readonly string[] => ['-movflags', `+frag_keyframe+empty_moov${more}`]

describe.skipIf(!ffmpeg)('a file that ffmpeg made', () => {
  const both = ['-map', '0', '-map', '1', ...codecs.video, ...codecs.aac]
  const three = ['-map', '1', '-map', '0', '-map', '2', ...codecs.video, ...codecs.aac]
  const each = ['-movflags', '+frag_every_frame+empty_moov+default_base_moof']

  test.each<[what: string, args: readonly string[]]>([
    ['a fragment for each frame, as the service records', [...both, ...each]],
    ['fragments of both', [...both, ...flags('+default_base_moof')]],
    ['implied base offsets', [...both, ...flags('+omit_tfhd_offset')]],
    ['explicit base offsets and indexes', [...both, ...flags('+dash+global_sidx')]],
    ['two audio tracks and interleaved runs', [...three, ...flags(''), '-frag_interleave', '2']],
  ])('with %s: only the video remains, with the same packets', (_what, args) => {
    const file = makeVideo(...args)
    const init = initSegmentIn(file)
    const initBytes = init.data.length
    const [head, fragments] = [videoOnlyInit(init).data, videoOnlyFragments(file, init.tracks, initBytes)]
    const result = Buffer.concat([head, fragments])
    const packets = packetsIn(result)
    expect(packets).toEqual(packetsIn(file, '0:v'))
    expect(packets.filter((line) => line.startsWith('#media_type'))).toEqual(['#media_type 0: video'])
    expect(packets.filter((line) => !line.startsWith('#'))).toHaveLength(10)
    expect(audioLeft(file, result)).toEqual([])

    const padded = Buffer.concat([padWithFree(head, initBytes), padWithFree(fragments, file.length - initBytes)])
    expect(padded).toHaveLength(file.length)
    expect(packetsIn(padded)).toEqual(packets)
  })

  describe('as the service records', () => {
    let file: Buffer
    let init: InitSegment
    const fragments: Fragment[] = []
    beforeAll(() => {
      file = makeVideo(...both, ...each)
      const parser = createFmp4Parser({
        init: (segment) => void (init = segment),
        fragment: (each) => fragments.push(each),
      })
      parser.write(file)
    })

    test('each fragment is sent unchanged or not at all', () => {
      expect(fragments.filter(({ video }) => video)).toHaveLength(10)
      expect(fragments.filter(({ video }) => !video).length).toBeGreaterThan(30)
      for (const { data, video } of fragments) {
        expect(videoOnlyFragments(data, init.tracks)).toEqual(video ? data : nothing)
      }
    })

    test('a broken byte gives an Fmp4Error or other fragments, and nothing else', () => {
      const data = Buffer.concat(fragments.slice(0, 12).map(({ data }) => data))
      fc.assert(
        fc.property(fc.nat(data.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
          try {
            const result = videoOnlyFragments(
              changed(data, (copy) => void (copy[at] = byte)),
              init.tracks,
            )
            expect(result.length).toBeLessThanOrEqual(data.length)
          } catch (error) {
            expect(error).toBeInstanceOf(Fmp4Error)
          }
        }),
        { numRuns: 2000 },
      )
    })
  })
})
