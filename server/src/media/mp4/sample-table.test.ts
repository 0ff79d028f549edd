import { expect, test } from 'vitest'
import { bodyIn, readLong } from './box.ts'
import type { Sample } from './each-sample.ts'
import { createSampleTable, type SampleTable } from './sample-table.ts'

/** The tables of samples, all in one chunk. */
function tableOf(samples: readonly Partial<Sample>[]): SampleTable {
  const table = createSampleTable()
  for (const sample of samples) {
    table.add({ start: 0, size: 1, time: 0, duration: 10, offset: 0, key: true, ...sample })
  }
  table.endChunk(0)
  return table
}

/** The numbers of a box behind its version and flags; undefined without the box. */
function numbersOf(table: SampleTable, letters: string): number[] | undefined {
  const body = bodyIn(Buffer.concat(table.boxes(0)), letters)
  return body && Array.from({ length: body.length / 4 - 1 }, (_, index) => body.readInt32BE(4 + index * 4))
}

const at = (...times: readonly number[]): Partial<Sample>[] => times.map((time) => ({ time }))
const offsets = (...all: readonly number[]): Partial<Sample>[] =>
  all.map((offset, index) => ({ time: index * 10, offset }))

test.each([
  ['one duration', at(0, 10, 20), [2, 2, 10, 1, 10]],
  ['a frame that comes late', at(0, 10, 30), [3, 1, 10, 1, 20, 1, 10]],
  ['a stall, which counts', at(0, 10, 500, 510), [4, 1, 10, 1, 490, 1, 10, 1, 10]],
  ['times that begin late', at(700, 710), [2, 1, 10, 1, 10]],
  ['two files that overlap', at(0, 10, 8, 18), [4, 1, 10, 1, 1, 1, 7, 1, 7]],
  ['one sample', at(5), [1, 1, 10]],
  ['a stall at the end, which does not', [{}, { time: 10, duration: 400 }], [2, 1, 10, 1, 10]],
])('durations: %s', (_what, samples, numbers) => {
  expect(numbersOf(tableOf(samples), 'stts')).toEqual(numbers)
})

test.each([
  ['without B-frames there is no table', offsets(0, 0, 0), undefined],
  ['frames that are decoded in another order', offsets(20, 40, 20, 0, 10), [5, 1, 20, 1, 40, 1, 20, 1, 0, 1, 10]],
  ['negative ones', offsets(0, 0, -10), [2, 2, 0, 1, -10]],
  ['the same one', offsets(20, 20), [1, 2, 20]],
  [
    'a moved sample is presented when it was, unless it is decoded later',
    [...at(0, 10), { time: 9, offset: 30 }, { time: 9 }],
    [3, 2, 0, 1, 28, 1, 0],
  ],
])('times from decoding to presentation: %s', (_what, samples, numbers) => {
  expect(numbersOf(tableOf(samples), 'ctts')).toEqual(numbers)
})

test.each([
  ['audio, of which every frame is one, has no table', [true, true, true], undefined],
  ['the first', [true, false, false], [1, 1]],
  ['several', [true, false, true, false], [2, 1, 3]],
  ['none', [false, false], [0]],
])('key frames: %s', (_what, keys, numbers) => {
  expect(numbersOf(tableOf(keys.map((key, index) => ({ key, time: index * 10 }))), 'stss')).toEqual(numbers)
})

test('chunks: a run of them with as many samples is one entry, and positions count from the first byte', () => {
  const table = createSampleTable()
  const positions = [0, 300, 2 ** 33, 2 ** 33 + 1]
  for (const [index, samples] of [2, 2, 1, 2].entries()) {
    for (let sample = 0; sample < samples; sample++) {
      table.add({ start: 0, size: 7 + index, time: index * 100 + sample * 10, duration: 10, offset: 0, key: true })
    }
    table.endChunk(positions[index]!)
  }
  expect(numbersOf(table, 'stsc')).toEqual([3, 1, 2, 1, 3, 1, 1, 4, 2, 1])
  expect(numbersOf(table, 'stsz')).toEqual([0, 7, 7, 7, 8, 8, 9, 10, 10])
  const co64 = bodyIn(Buffer.concat(table.boxes(48)), 'co64')!
  expect(co64.readUInt32BE(4)).toBe(4)
  expect(positions.map((_, index) => readLong(co64, 8 + index * 8))).toEqual(positions.map((each) => each + 48))
})

test('what is presented: from the earliest time to the end of the last, without a stall at the end', () => {
  const table = tableOf([
    { time: 100, offset: 20 },
    { time: 110, offset: 40 },
    { time: 120, offset: 10, duration: 300 },
  ])
  expect([table.firstTime, table.start, table.end, table.duration]).toEqual([100, 120, 160, 30])
})

test('its bytes are those of its entries, which is what grows with the recording', () => {
  const table = createSampleTable()
  const boxes = (): number => Buffer.concat(table.boxes(0)).length
  const before = boxes() - table.bytes
  for (let index = 0; index < 5000; index++) {
    const [time, key] = [index * 10 + (index % 3), index % 50 === 0]
    table.add({ start: 0, size: index, time, duration: 10, offset: 2 + (index % 2), key })
    if (index % 30 === 29) table.endChunk(index)
  }
  // The headers of the tables that were empty, and the last duration.
  expect(Math.abs(boxes() - table.bytes - before)).toBeLessThanOrEqual(64)
})
