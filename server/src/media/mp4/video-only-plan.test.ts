import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ftyp, mvhd, trak, trex } from '../../../test/support/made-mp4.ts'
import { boxesIn, Fmp4Error, makeBox, makeFullBox, typeOf, words, writeLong } from './box.ts'
import { readChunkTable } from './chunk-table.ts'
import { planVideoOnly, type VideoOnlyPlan } from './video-only-plan.ts'

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  writeLong(bytes, 0, value)
  return bytes
}

/** A track whose chunks have some samples each. Bytes of video are below 128. */
interface Media {
  readonly id: number
  readonly handler: 'vide' | 'soun' | 'text'
  readonly chunks: readonly (readonly Buffer[])[]
  readonly isLong: boolean
  /** Writes one size for all samples, if they have the same. */
  readonly isConstant: boolean
}

/** @param places of the chunks, in the file */
function tablesOf({ chunks, isLong, isConstant }: Media, places: readonly number[]): Buffer[] {
  const sizes = chunks.flat().map(({ length }) => length)
  const isSame = isConstant && sizes.length > 0 && sizes[0] !== 0 && sizes.every((size) => size === sizes[0])
  const runs = chunks.flatMap(({ length }, i) => (length === chunks[i - 1]?.length ? [] : [[i + 1, length, 1]]))
  const offsets = isLong ? places.map(long) : places.map((place) => words(place))
  return [
    makeFullBox('stsc', 0, words(runs.length, ...runs.flat())),
    makeFullBox('stsz', 0, isSame ? words(sizes[0]!, sizes.length) : words(0, sizes.length, ...sizes)),
    makeFullBox(isLong ? 'co64' : 'stco', 0, words(chunks.length), ...offsets),
  ]
}

interface Progressive {
  readonly tracks: readonly Media[]
  /** Track of each chunk in the file. */
  readonly order: readonly number[]
  /** Bytes after each chunk. */
  readonly gap: number
  readonly isLarge: boolean
  /** Boxes of the `moov` after its tracks. */
  readonly more?: readonly Buffer[]
}

function fileOf({ tracks, order, gap, isLarge, more = [] }: Progressive): Buffer {
  const free = makeBox('free')
  const moovAt = (samples: number): Buffer => {
    let place = samples
    const [places, next] = [tracks.map((): number[] => []), tracks.map(() => 0)]
    for (const track of order) {
      places[track]!.push(place)
      place += Buffer.concat(tracks[track]!.chunks[next[track]!++]!).length + gap
    }
    const traks = tracks.map((media, i) => trak({ ...media, tables: tablesOf(media, places[i]!) }))
    return makeBox('moov', mvhd, ...traks, ...more)
  }
  const next = tracks.map(() => 0)
  const bytes = order.flatMap((track) => [...tracks[track]!.chunks[next[track]!++]!, Buffer.alloc(gap, 255)])
  const body = Buffer.concat(bytes)
  const mdat = isLarge ? Buffer.concat([words(1, typeOf('mdat')), long(16 + body.length), body]) : makeBox('mdat', body)
  const samples = ftyp.length + moovAt(0).length + free.length + mdat.length - body.length
  return Buffer.concat([ftyp, moovAt(samples), free, mdat])
}

const planOf = (file: Buffer): VideoOnlyPlan => planVideoOnly(boxesIn(file, 0, file.length), file)

function carriedOut(file: Buffer, { size, head, ranges }: VideoOnlyPlan): Buffer {
  const parts = Array.from({ length: ranges.count }, (_, i) => {
    const length = ranges.places[i + 1]! - ranges.places[i]!
    return file.subarray(ranges.offsets[i], ranges.offsets[i]! + length)
  })
  const result = Buffer.concat([head, ...parts])
  expect(result).toHaveLength(size)
  return result
}

/** The bytes of each track's chunks, where its tables say. */
function chunksIn(file: Buffer): string[][] {
  const [, moov] = boxesIn(file, 0, file.length)
  const traks = boxesIn(file, moov!.body, moov!.end).filter(({ type }) => type === typeOf('trak'))
  return traks.map(({ body, end }) => {
    const table = readChunkTable(file.subarray(body, end))
    return [...table.sizes].map((size, i) => file.toString('hex', table.at(i), table.at(i) + size))
  })
}

const media = (id: number, handler: Media['handler']): fc.Arbitrary<Media> =>
  fc
    .record({
      lengths: fc.array(fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
      isLong: fc.boolean(),
      isConstant: fc.boolean(),
    })
    .map(({ lengths, isLong, isConstant }) => {
      let byte = 0
      const first = handler === 'vide' ? 0 : 128
      const sample = (length: number): Buffer => Buffer.alloc(isConstant ? 4 : length, first + (byte++ % 127))
      return { id, handler, isLong, isConstant, chunks: lengths.map((chunk) => chunk.map(sample)) }
    })

const files: fc.Arbitrary<Progressive> = fc
  .tuple(media(1, 'vide'), media(2, 'soun'), media(3, 'text'), media(4, 'vide'))
  .chain((all) => fc.shuffledSubarray(all, { minLength: 1 }))
  .filter((tracks) => tracks.some(({ handler }) => handler === 'vide'))
  .chain((tracks) => {
    const order = tracks.flatMap(({ chunks }, track) => chunks.map(() => track))
    return fc.record({
      tracks: fc.constant(tracks),
      order: fc.shuffledSubarray(order, { minLength: order.length }),
      gap: fc.nat(2),
      isLarge: fc.boolean(),
    })
  })

test('of any layout, exactly the chunks of the video remain', () => {
  fc.assert(
    fc.property(files, (made) => {
      const file = fileOf(made)
      const original = Buffer.from(file)
      const result = carriedOut(file, planOf(file))
      expect(file).toEqual(original)
      const videos = made.tracks.filter(({ handler }) => handler === 'vide')
      if (videos.length === made.tracks.length) {
        expect(result).toEqual(file)
        return
      }
      const expected = videos.map(({ chunks }) => chunks.map((chunk) => Buffer.concat(chunk).toString('hex')))
      expect(chunksIn(result)).toEqual(expected)
      const [, , mdat] = boxesIn(result, 0, result.length)
      const samples = result.subarray(mdat!.body)
      expect(samples).toHaveLength(expected.flat().join('').length / 2)
      expect(samples.every((byte) => byte < 128)).toBe(true)
      expect(mdat!.body - mdat!.start).toBe(made.isLarge ? 16 : 8)
    }),
    { numRuns: 500 },
  )
})

const video: Media = { id: 1, handler: 'vide', isLong: false, isConstant: false, chunks: [[Buffer.from('VIDEO')]] }
const audio: Media = { ...video, id: 2, handler: 'soun', chunks: [[Buffer.from('aud')]] }
const made: Progressive = { tracks: [video, audio], order: [0, 1], gap: 0, isLarge: false }
const file = fileOf(made)

test('chunks of the video that follow each other are one range', () => {
  const four = { ...video, chunks: Array.from({ length: 4 }, () => [Buffer.from('VIDEO')]) }
  const { ranges } = planOf(fileOf({ ...made, tracks: [four, audio], order: [0, 0, 1, 0, 0] }))
  expect(ranges.count).toBe(2)
  const [first = 0] = ranges.places
  expect([...ranges.places.subarray(0, 3)]).toEqual([first, first + 10, first + 20])
})

/** The file with another number of 32 bits in a box of its `moov`. @param at offset in the body */
const withWord = (letters: string, at: number, value: number, track = 0): Buffer => {
  const copy = Buffer.from(file)
  let box = -1
  for (let i = 0; i <= track; i++) box = copy.indexOf(letters, box + 1)
  copy.writeUInt32BE(value, box + 4 + at)
  return copy
}
/** A file whose tracks have these tables. */
const withTables = (tables: (at: number) => readonly Buffer[]): Buffer => {
  const moov = (at: number): Buffer =>
    makeBox(
      'moov',
      mvhd,
      trak({ id: 1, handler: 'vide', tables: tables(at) }),
      trak({ ...audio, tables: tablesOf(audio, [at + 5]) }),
    )
  return Buffer.concat([ftyp, moov(ftyp.length + moov(0).length + 8), makeBox('mdat', Buffer.from('VIDEOaud'))])
}
const [stsc, stsz] = [makeFullBox('stsc', 0, words(1, 1, 1, 1)), makeFullBox('stsz', 0, words(0, 1, 5))]
const stco = (at: number): Buffer => makeFullBox('stco', 0, words(1, at))
const outOfOrder = withTables((at) => [
  makeFullBox('stsc', 0, words(1, 1, 1, 1)),
  makeFullBox('stsz', 0, words(0, 2, 2, 3)),
  makeFullBox('stco', 0, words(2, at + 3, at)),
])
const twoSizes = makeFullBox('stsz', 0, words(0, 2, 5))
const endless = makeFullBox('stsc', 0, words(2, 1, 0, 1, 0xffff_ffff, 1, 1))
const moovEnd = file.indexOf('free') - 4
const [start, table, samples] = [
  file.subarray(0, ftyp.length),
  file.subarray(ftyp.length, moovEnd),
  file.subarray(moovEnd),
]
const mdatBody = file.indexOf('mdat') + 4

test('the file of the table below is one from which audio is left out', () => {
  const same = withTables((at) => [stsc, stsz, stco(at)])
  expect(chunksIn(carriedOut(same, planOf(same)))).toEqual([[Buffer.from('VIDEO').toString('hex')]])
})

test.each<[what: string, file: Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['no samples', file.subarray(0, moovEnd)],
  ['no moov', Buffer.concat([start, samples])],
  ['another box in front', Buffer.concat([makeBox('uuid', start.subarray(8)), table, samples])],
  ['a moov after its samples', Buffer.concat([start, samples, table])],
  ['two moovs', Buffer.concat([start, table, table, samples])],
  ['two mdats', Buffer.concat([file, samples])],
  ['fragments after it', Buffer.concat([file, makeBox('moof'), makeBox('mdat')])],
  ['a box that is not known', Buffer.concat([file, makeBox('uuid', Buffer.from('audio'))])],
  ['samples that are cut', file.subarray(0, -1)],
  ['only audio', fileOf({ ...made, tracks: [audio], order: [0] })],
  ['a moov for fragments', fileOf({ ...made, more: [makeBox('mvex', trex(1), trex(2))] })],
  [
    'a moov with a size of 64 bits',
    Buffer.concat([start, words(1, typeOf('moov')), long(table.length + 8), table.subarray(8), samples]),
  ],
  ['video before the samples', withWord('stco', 8, mdatBody - 1)],
  ['video after the samples', withWord('stco', 8, mdatBody + 4)],
  ['video that is also audio', withWord('stsz', 12, 6)],
  ['audio that is also video', withWord('stco', 8, mdatBody + 4, 1)],
  ['audio after the samples', withWord('stsz', 12, 4, 1)],
  ['more chunks than there are', withWord('stco', 4, 2)],
  ['4 billion chunks', withWord('stco', 4, 0xffff_ffff)],
  ['more sizes than there are', withWord('stsz', 8, 2)],
  ['4 billion sizes', withWord('stsz', 8, 0xffff_ffff)],
  [
    '4 billion samples of one size',
    withWord('stsz', 4, 5).fill(255, file.indexOf('stsz') + 12, file.indexOf('stsz') + 16),
  ],
  ['more samples in its chunk than there are', withWord('stsc', 12, 2)],
  ['4 billion samples in its chunk', withWord('stsc', 12, 0xffff_ffff)],
  ['no samples in its chunk', withWord('stsc', 12, 0)],
  ['fewer sizes than it says', withTables((at) => [makeFullBox('stsc', 0, words(1, 1, 2, 1)), twoSizes, stco(at)])],
  ['4 billion chunks without samples', withTables((at) => [endless, stsz, stco(at)])],
  ['4 billion runs of chunks', withWord('stsc', 4, 0xffff_ffff)],
  ['chunks in another order than in the file', outOfOrder],
  ['no runs of chunks', withWord('stsc', 4, 0)],
  ['chunks from the second on', withWord('stsc', 8, 2)],
  ['chunks from none on', withWord('stsc', 8, 0)],
  ['no positions', withTables(() => [stsc, stsz])],
  ['two tables of positions', withTables((at) => [stsc, stsz, stco(at), makeFullBox('co64', 0, words(1), long(at))])],
  ['no sizes', withTables((at) => [stsc, stco(at)])],
  ['no runs', withTables((at) => [stsz, stco(at)])],
  [
    'a position that a number cannot express',
    withTables(() => [stsc, stsz, makeFullBox('co64', 0, words(1, 0xffff_ffff, 0))]),
  ],
  ['runs in the wrong order', withTables((at) => [makeFullBox('stsc', 0, words(2, 1, 1, 1, 1, 1, 1)), stsz, stco(at)])],
  [
    'a run after the last chunk',
    withTables((at) => [makeFullBox('stsc', 0, words(2, 1, 1, 1, 3, 1, 1)), stsz, stco(at)]),
  ],
])('a file with %s is rejected', (_what, broken) => {
  expect(() => planOf(broken)).toThrow(Fmp4Error)
})

test('a file whose moov was not read to its end is rejected', () => {
  // Up to the trak of the audio.
  const header = file.subarray(0, file.lastIndexOf('trak') - 4)
  expect(() => planVideoOnly(boxesIn(file, 0, file.length), header)).toThrow(Fmp4Error)
})
