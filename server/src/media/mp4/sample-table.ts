import { makeFullBox, words, writeLong } from './box.ts'
import type { Sample } from './each-sample.ts'
import { createRunTable, createWordTable } from './word-table.ts'

/** The samples of one track, as the boxes of a `stbl` describe them (ISO/IEC 14496-12, 8.6 and 8.7). */
export interface SampleTable {
  /** Number of samples. */
  readonly count: number
  /** Ticks: when the first sample is decoded. */
  readonly firstTime: number
  /** Ticks: when the first sample is presented, and when the last one ends. If the camera stalled, that is soon. */
  readonly start: number
  readonly end: number
  /** Ticks: the sum of all durations. */
  readonly duration: number
  /** Bytes of its entries so far. */
  readonly bytes: number
  /** Adds a sample. One that is decoded no later than the sample before it is moved to one tick after it. */
  add(sample: Sample): void
  /** The samples since the previous chunk are a chunk. @param position counted from the first byte of all chunks */
  endChunk(position: number): void
  /** All boxes behind `stsd`. @param first position of the first byte of all chunks in the file */
  boxes(first: number): Buffer[]
}

export function createSampleTable(): SampleTable {
  const [sizes, keys, perChunk] = [createWordTable(), createWordTable(), createWordTable()]
  const [durations, offsets] = [createRunTable(), createRunTable()]
  const positions: number[] = []
  let [count, inChunk, inChunkBefore] = [0, 0, 0]
  let [firstTime, lastTime, lastDuration] = [0, 0, 0]
  let [start, end, lastPresented] = [Infinity, 0, -Infinity]

  return {
    get count() {
      return count
    },
    get firstTime() {
      return firstTime
    },
    get start() {
      return start
    },
    get end() {
      return end
    },
    get duration() {
      return lastTime - firstTime + lastDuration
    },
    get bytes() {
      const runs = durations.runs() + offsets.runs()
      return sizes.bytes() + keys.bytes() + perChunk.bytes() + runs * 8 + positions.length * 8
    },
    add({ size, time, duration, offset, key }) {
      const decoded = count === 0 ? time : Math.max(time, lastTime + 1)
      const presented = Math.max(time + offset, decoded + Math.min(offset, 0))
      // What a player shows at the end is as long as what it showed before, whatever comes later in the recording.
      lastDuration = count === 0 ? duration : Math.min(duration, decoded - lastTime)
      if (count === 0) firstTime = decoded
      else durations.push(decoded - lastTime)
      count++
      inChunk++
      sizes.push(size)
      offsets.push(presented - decoded)
      if (key) keys.push(count)
      lastTime = decoded
      start = Math.min(start, presented)
      if (presented > lastPresented) end = presented + lastDuration
      lastPresented = Math.max(lastPresented, presented)
    },
    endChunk(position) {
      positions.push(position)
      if (inChunk !== inChunkBefore) perChunk.push(positions.length, inChunk, 1)
      inChunkBefore = inChunk
      inChunk = 0
    },
    boxes(first) {
      const places = Buffer.alloc(positions.length * 8)
      for (const [index, position] of positions.entries()) writeLong(places, index * 8, first + position)
      return [
        makeFullBox('stts', 0, words(durations.runs() + 1), durations.data(), words(1, lastDuration)),
        // Offsets are signed in version 1.
        ...(offsets.isOnly(0) ? [] : [makeFullBox('ctts', 0x01_00_00_00, words(offsets.runs()), offsets.data())]),
        // Without it, every sample is a key frame.
        ...(keys.bytes() === count * 4 ? [] : [makeFullBox('stss', 0, words(keys.bytes() / 4), keys.data())]),
        makeFullBox('stsc', 0, words(perChunk.bytes() / 12), perChunk.data()),
        makeFullBox('stsz', 0, words(0, count), sizes.data()),
        makeFullBox('co64', 0, words(positions.length), places),
      ]
    },
  }
}
