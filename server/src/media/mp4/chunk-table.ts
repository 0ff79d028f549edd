import { atLeast, bodyIn, Fmp4Error, readLong, writeLong } from './box.ts'

/** Where the samples of one track are in a progressive file: its chunks, in the order of their numbers. */
export interface ChunkTable {
  readonly count: number
  /** Bytes of each chunk. */
  readonly sizes: Float64Array
  /** Position of a chunk in the file. @param index from 0 */
  at(index: number): number
  /** Writes a position into the `trak`. */
  moveTo(index: number, position: number): void
}

/**
 * Reads `stco` or `co64` (positions), `stsc` (samples of each chunk) and `stsz` (bytes of each sample).
 *
 * @param trak body of the box
 * @throws Fmp4Error if one of them is missing or incomplete, or if they contradict each other
 */
export function readChunkTable(trak: Buffer): ChunkTable {
  const stbl = bodyIn(trak, 'mdia', 'minf', 'stbl')
  if (!stbl) throw new Fmp4Error('no whole stbl')
  const [stco, co64] = [bodyIn(stbl, 'stco'), bodyIn(stbl, 'co64')]
  if ((stco === undefined) === (co64 === undefined)) throw new Fmp4Error('a track without one table of positions')
  const letters = stco ? 'stco' : 'co64'
  const width = stco ? 4 : 8
  const table = stco ?? co64
  const count = atLeast(8, table, letters).readUInt32BE(4)
  const positions = atLeast(8 + count * width, table, letters)
  return {
    count,
    sizes: chunkSizes(stbl, count),
    at: (index) => (stco ? positions.readUInt32BE(8 + index * width) : readLong(positions, 8 + index * width)),
    moveTo(index, position) {
      if (stco) positions.writeUInt32BE(position, 8 + index * width)
      else writeLong(positions, 8 + index * width, position)
    },
  }
}

/** Bytes of an entry of `stsc`: number of its first chunk (from 1), samples per chunk, description. */
const entrySize = 12

function chunkSizes(stbl: Buffer, count: number): Float64Array {
  const stsc = bodyIn(stbl, 'stsc')
  const entries = atLeast(8, stsc, 'stsc').readUInt32BE(4)
  const runs = atLeast(8 + entries * entrySize, stsc, 'stsc')
  const samples = readSampleSizes(stbl)
  const sizes = new Float64Array(count)
  let chunk = 0
  let sample = 0
  for (let entry = 0; entry < entries; entry++) {
    const at = 8 + entry * entrySize
    const next = entry + 1 < entries ? runs.readUInt32BE(at + entrySize) - 1 : count
    const perChunk = runs.readUInt32BE(at + 4)
    if (runs.readUInt32BE(at) - 1 !== chunk || next <= chunk || next > count) throw new Fmp4Error('chunks out of order')
    for (; chunk < next; chunk++, sample += perChunk) sizes[chunk] = samples.sum(sample, sample + perChunk)
  }
  if (sample !== samples.count) throw new Fmp4Error('samples that are in no chunk, or no samples')
  return sizes
}

interface SampleSizes {
  readonly count: number
  /** Bytes of the samples `from` to `to`, end exclusive. */
  sum(from: number, to: number): number
}

function readSampleSizes(stbl: Buffer): SampleSizes {
  const stsz = bodyIn(stbl, 'stsz')
  const size = atLeast(12, stsz, 'stsz').readUInt32BE(4)
  const count = atLeast(12, stsz, 'stsz').readUInt32BE(8)
  const table = atLeast(size === 0 ? 12 + count * 4 : 12, stsz, 'stsz')
  return {
    count,
    sum(from, to) {
      if (to > count) throw new Fmp4Error('a chunk with more samples than there are')
      if (size !== 0) return (to - from) * size
      let bytes = 0
      for (let sample = from; sample < to; sample++) bytes += table.readUInt32BE(12 + sample * 4)
      return bytes
    },
  }
}
