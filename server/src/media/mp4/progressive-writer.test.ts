import { describe, expect, test } from 'vitest'
import { ftyp, mvhd, trak, trex } from '../../../test/support/made-mp4.ts'
import { bodiesIn, boxesIn, Fmp4Error, lettersOf, makeBox, makeFullBox, words } from './box.ts'
import { readChunkTable } from './chunk-table.ts'
import { initSegmentIn } from './init-segment.ts'
import { createProgressiveWriter, type WritableFile } from './progressive-writer.ts'

/** A file in memory that notes how it was written. */
function memoryFile() {
  let data = Buffer.alloc(0)
  let moved = 0
  const file: WritableFile = {
    write(buffers, position) {
      const bytes = Buffer.concat(buffers)
      if (position + bytes.length > data.length) data = Buffer.concat([data], position + bytes.length)
      bytes.copy(data, position)
    },
    read(buffer, position) {
      moved += buffer.length
      data.copy(buffer, 0, position)
    },
  }
  return { file, data: () => data, moved: () => moved }
}

const init = initSegmentIn(
  Buffer.concat([
    ftyp,
    makeBox(
      'moov',
      mvhd,
      trak({ id: 1, handler: 'vide' }),
      trak({ id: 2, handler: 'soun' }),
      makeBox('mvex', trex(1), trex(2)),
    ),
  ]),
)

interface Made {
  readonly id?: number
  /** Ticks: ten in a second. */
  readonly time: number
  readonly bytes: string
  readonly duration?: number
  readonly key?: boolean
}

/** A fragment of one sample. */
function fragment({ id = 1, time, bytes, duration = 1, key = true }: Made): Buffer {
  const moofWith = (offset: number): Buffer =>
    makeBox(
      'moof',
      makeFullBox('mfhd', 0, words(0)),
      makeBox(
        'traf',
        makeFullBox('tfhd', 0x02_00_38, words(id, duration, bytes.length, key ? 0 : 0x01_00_00)),
        makeFullBox('tfdt', 0, words(time)),
        makeFullBox('trun', 0x01, words(1, offset)),
      ),
    )
  return Buffer.concat([moofWith(moofWith(0).length + 8), makeBox('mdat', Buffer.from(bytes))])
}

/** One frame and one sample of audio for each tenth of a second. */
const seconds = (from: number, to: number, named: string): Buffer =>
  Buffer.concat(
    Array.from({ length: (to - from) * 10 }, (_, index) => {
      const time = from * 10 + index
      return Buffer.concat([
        fragment({ time, bytes: `v${named}${time};`, key: time % 10 === 0 }),
        fragment({ id: 2, time, bytes: `a${named}${time};` }),
      ])
    }),
  )

function written(parts: readonly Buffer[], lead: number, length: number) {
  const { file, data, moved } = memoryFile()
  const writer = createProgressiveWriter(file, { init, lead, length, filmed: 0 })
  for (const part of parts) writer.add(part, 0, part.length)
  return { plays: writer.finish(), data: data(), moved: moved() }
}

/** The bytes of each chunk of each track, as its tables say. */
function chunksOf(data: Buffer): string[][] {
  const moov = boxesIn(data, 0, data.length).find(({ type }) => lettersOf(type) === 'moov')!
  return bodiesIn(data.subarray(moov.body, moov.end), 'trak').map((body) => {
    const table = readChunkTable(body)
    return Array.from({ length: table.count }, (_, index) => {
      const at = table.at(index)
      return data.toString('latin1', at, at + table.sizes[index]!)
    })
  })
}
const layoutOf = (data: Buffer): string[] => boxesIn(data, 0, data.length).map(({ type }) => lettersOf(type))
/** Bytes of the table of contents, and of the space left behind it. */
const sizesOf = (data: Buffer): number[] =>
  boxesIn(data, 0, data.length)
    .slice(1, 3)
    .map(({ start, end }) => end - start)
const freeOf = (data: Buffer): number | undefined => sizesOf(data)[1]
const all = (kind: string, named: string, from: number, to: number): string =>
  Array.from({ length: (to - from) * 10 }, (_, index) => `${kind}${named}${from * 10 + index};`).join('')

describe('the file', () => {
  test('has the table of contents at the front, and a chunk of each track for each second', () => {
    const { data, plays, moved } = written([seconds(0, 2, 'x'), seconds(2, 3, 'x')], 0, 3)
    expect([layoutOf(data), plays, moved]).toEqual([['ftyp', 'moov', 'free', 'mdat'], 3, 0])
    expect(chunksOf(data)).toEqual(
      ['v', 'a'].map((kind) => [all(kind, 'x', 0, 1), all(kind, 'x', 1, 2), all(kind, 'x', 2, 3)]),
    )
  })

  test('has no space left at the front if all of it was in memory, and little if not', () => {
    expect(freeOf(written([seconds(0, 4, 'x')], 0, 4).data)).toBe(8)
    const { data, moved } = written([seconds(0, 10, 'x'), seconds(10, 20, 'x'), seconds(20, 30, 'x')], 0, 30)
    const [contents = 0, free = 0] = sizesOf(data)
    expect([free > 8, free < contents, moved]).toEqual([true, true, 0])
  })

  test('has its samples moved if there is more to describe than the first seconds let expect', () => {
    // Frames of a second each, then ten in each second.
    const slow = Array.from({ length: 6 }, (_, index) =>
      fragment({ time: index * 10, bytes: `slow${index};`, duration: 10 }),
    )
    const { data, moved, plays } = written([Buffer.concat(slow), seconds(6, 40, 'x'), seconds(40, 70, 'y')], 0, 70)
    expect(moved).toBeGreaterThan(5000)
    expect([layoutOf(data), freeOf(data), plays]).toEqual([['ftyp', 'moov', 'free', 'mdat'], 8, 70])
    const [video = [], audio = []] = chunksOf(data)
    expect(video.join('')).toBe(`slow0;slow1;slow2;slow3;slow4;slow5;${all('v', 'x', 6, 40)}${all('v', 'y', 40, 70)}`)
    expect(audio.join('')).toBe(`${all('a', 'x', 6, 40)}${all('a', 'y', 40, 70)}`)
  })

  test('has no audio from long before the start, and nothing from after the end', () => {
    const { data, plays } = written([seconds(0, 5, 'x')], 1.5, 2)
    const [video = [], audio = []] = chunksOf(data)
    // Frames before the start are needed to decode it; of audio, the last two tenths of a second.
    expect(video.join('')).toBe(all('v', 'x', 0, 3) + [30, 31, 32, 33, 34].map((time) => `vx${time};`).join(''))
    expect(audio.join('').startsWith('ax13;ax14;ax15;')).toBe(true)
    expect(audio.join('').endsWith('ax34;')).toBe(true)
    expect(plays).toBe(2)
  })

  test('has no audio track if none was recorded', () => {
    const { data } = written([fragment({ time: 0, bytes: 'v' })], 0, 1)
    expect(chunksOf(data)).toEqual([['v']])
  })
})

test.each([
  ['nothing', Buffer.alloc(0), 'no video'],
  ['only audio', fragment({ id: 2, time: 0, bytes: 'a' }), 'no video'],
  ['a track that is not described', fragment({ id: 3, time: 0, bytes: 'v' }), 'a traf of track 3'],
  ['a sample without data', fragment({ time: 0, bytes: '' }), 'a sample without data'],
  ['a fragment without its samples', fragment({ time: 0, bytes: 'v' }).subarray(0, -9), 'a moof without mdat'],
  ['a box that is not known', makeBox('what'), 'an unexpected what'],
])('%s is an error', (_what, data, message) => {
  const attempt = () => written([data], 0, 1)
  expect(attempt).toThrow(Fmp4Error)
  expect(attempt).toThrow(message)
})

test('samples outside their mdat are an error', () => {
  const data = fragment({ time: 0, bytes: 'video' })
  // The offset of the run, its last number.
  const place = data.length - 13 - 4
  data.writeUInt32BE(data.readUInt32BE(place) + 1, place)
  expect(() => written([data], 0, 1)).toThrow('samples outside their mdat')
})
