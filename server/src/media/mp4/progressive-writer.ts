import { Fmp4Error, headerSize, makeBox, maxHeaderSize, typeOf, words, writeLong, type Box } from './box.ts'
import { eachSample, type Sample } from './each-sample.ts'
import { fragmentsIn } from './fragment-boxes.ts'
import type { InitSegment, Track } from './init-segment.ts'
import { progressiveMoov } from './progressive-moov.ts'
import { createSampleTable, type SampleTable } from './sample-table.ts'
import { trackFragmentsIn, type TrackFragment } from './track-fragment.ts'

/** An empty file that is written and read at any place. */
export interface WritableFile {
  /** Writes all of the buffers, one behind the other. */
  write(buffers: readonly Buffer[], position: number): void
  /** Fills the buffer. */
  read(buffer: Buffer, position: number): void
}

export interface ProgressiveOptions {
  readonly init: InitSegment
  /** Seconds from the first frame of video to the first one to be shown. */
  readonly lead: number
  /** Seconds from there to the end. Samples that begin later are left out. */
  readonly length: number
  /** When the video was recorded, Unix milliseconds. */
  readonly filmed: number
}

/** Makes a progressive MP4 of fragments: `ftyp`, `moov`, `free`, `mdat`. */
export interface ProgressiveWriter {
  /**
   * Adds the fragments of a file between two positions. The buffer can be written at the next call: it must not change.
   *
   * @throws Fmp4Error
   */
  add(data: Buffer, from: number, to: number): void
  /** @returns how long the file plays, seconds. @throws Fmp4Error if there is no video */
  finish(): number
}

/** Seconds of video in a chunk: a player gets audio and video of the same time together. */
const chunkSeconds = 1
/** Seconds of audio before the first frame to be shown: a decoder of AAC needs the frame before, one of Opus 0.08 s. */
const audioBefore = 0.2
/** Seconds of video from which the size of the tables is estimated. */
const surveyedSeconds = 5
/** Factor for tables that grow faster later on: frames come faster by day, and audio less regularly. */
const spare = 1.5

const ftyp = makeBox('ftyp', Buffer.from('isom'), words(512), Buffer.from('isomiso2iso4mp41'))

/**
 * The table of contents is in front of the samples, so that the file can play while it loads, and its size is only known
 * at the end. So there is space for what the first seconds let expect; if that is too small, the samples are moved.
 */
export function createProgressiveWriter(file: WritableFile, options: ProgressiveOptions): ProgressiveWriter {
  const { init, lead, length } = options
  const tracks = init.tracks.map(createTrack)
  const tables = tracks.map(({ table }) => table)
  const samples = createSampleArea(file)
  /** Seconds at which the first frame of video is presented, which is later than it is decoded if frames change places. */
  let origin: number | undefined
  const limitAll = (start: number): void => tracks.forEach(({ limit }) => limit(start + lead, start + lead + length))
  limitAll(0)
  const moovFor = (first: number) => progressiveMoov({ ...options, tables, lead: (origin ?? 0) + lead }, first)
  /** Bytes in front of the `mdat` for the samples so far. */
  const needed = (): number => ftyp.length + moovFor(0).data.length + headerSize
  const endChunks = (): void => {
    for (const { table, takeChunk } of tracks) {
      const parts = takeChunk()
      if (parts.length > 0) table.endChunk(samples.add(parts))
    }
  }
  const addFragment = (data: Buffer, fragment: TrackFragment, mdat: Box): void => {
    const { kind, timescale } = fragment.track
    const into = tracks[init.tracks.indexOf(fragment.track)]
    if (into?.isChunkLong()) endChunks()
    eachSample(data, fragment, (sample) => {
      if (sample.start < mdat.body || sample.start + sample.size > mdat.end)
        throw new Fmp4Error('samples outside their mdat')
      if (kind === 'video' && origin === undefined) limitAll((origin = (sample.time + sample.offset) / timescale))
      into?.add(data, sample)
    })
  }

  return {
    add(data, from, to) {
      for (const { moof, mdat } of fragmentsIn(data, from, to)) {
        for (const fragment of trackFragmentsIn(data, init.tracks, moof)) addFragment(data, fragment, mdat)
      }
      endChunks()
      const seconds = Math.max(...tracks.map((each) => each.seconds()))
      if (!samples.isPlaced() && seconds >= surveyedSeconds) {
        const entries = tables.reduce((sum, table) => sum + table.bytes, 0)
        const more = Math.max(0, (spare * (lead + length)) / seconds - 1)
        samples.place(needed() + Math.ceil(entries * more))
      }
      samples.write()
    },
    finish() {
      if (!tracks.some(({ track, table }) => track.kind === 'video' && table.count > 0)) throw new Fmp4Error('no video')
      const { data, seconds } = moovFor(samples.place(needed()))
      samples.complete(data)
      return seconds
    },
  }
}

/** The samples of a file, and the place that they have in it. */
interface SampleArea {
  /** @returns where the parts begin, counted from the first sample */
  add(parts: readonly Buffer[]): number
  isPlaced(): boolean
  /**
   * Leaves at least as many bytes in front of the `mdat`: samples that are in the file already are moved, if need be.
   *
   * @returns position of the first sample
   */
  place(bytes: number): number
  /** Writes what was added, once there is a place for it. */
  write(): void
  /** Writes everything but the samples. */
  complete(moov: Buffer): void
}

function createSampleArea(file: WritableFile): SampleArea {
  /** Position of the `mdat`. */
  let place: number | undefined
  let waiting: Buffer[] = []
  let [added, written] = [0, 0]
  const write = (): void => {
    if (place === undefined || waiting.length === 0) return
    file.write(waiting, place + maxHeaderSize + written)
    written = added
    waiting = []
  }
  return {
    add(parts) {
      const position = added
      for (const part of parts) added += part.length
      waiting.push(...parts)
      return position
    },
    isPlaced: () => place !== undefined,
    place(bytes) {
      const before = place ?? bytes
      place = Math.max(before, bytes)
      if (place > before) move(file, before + maxHeaderSize, written, place - before)
      write()
      return place + maxHeaderSize
    },
    write,
    complete(moov) {
      const at = place ?? 0
      const free = words(at - ftyp.length - moov.length, typeOf('free'))
      const mdat = Buffer.concat([words(1, typeOf('mdat')), Buffer.alloc(8)])
      writeLong(mdat, headerSize, mdat.length + written)
      file.write([ftyp, moov, free], 0)
      file.write([mdat], at)
    },
  }
}

/** Max bytes that are moved in one step. */
const blockSize = 4 << 20

/** Moves bytes to a later place, the last first, since the places overlap. */
function move(file: WritableFile, from: number, length: number, by: number): void {
  for (let end = from + length; end > from;) {
    const start = Math.max(from, end - blockSize)
    const block = Buffer.alloc(end - start)
    file.read(block, start)
    file.write([block], start + by)
    end = start
  }
}

interface TrackWriter {
  readonly track: Track
  readonly table: SampleTable
  /** Sets the time range that is shown, seconds. */
  limit(from: number, to: number): void
  /** @param data contains the sample */
  add(data: Buffer, sample: Sample): void
  /** Whether video has been added for as long as a chunk lasts. */
  isChunkLong(): boolean
  /** The data of the samples since the last call. */
  takeChunk(): Buffer[]
  /** Seconds of its samples. */
  seconds(): number
}

function createTrack(track: Track): TrackWriter {
  const { kind, timescale } = track
  const table = createSampleTable()
  const isVideo = kind === 'video'
  let [from, to] = [0, 0]
  let parts: Buffer[] = []
  let source: Buffer | undefined
  /** The data to be taken next, in its source. */
  let [start, end] = [0, 0]
  /** Ticks of video in the chunk. */
  let held = 0

  const take = (): void => {
    if (source && end > start) parts.push(source.subarray(start, end))
    start = end = 0
  }
  return {
    track,
    table,
    limit(...seconds) {
      from = Math.round(seconds[0] * timescale)
      to = Math.round(seconds[1] * timescale)
    },
    add(data, sample) {
      const isEarly = !isVideo && sample.time + sample.duration <= from - audioBefore * timescale
      if (isEarly || sample.time >= to) return
      if (data !== source || sample.start !== end) {
        take()
        source = data
        start = sample.start
      }
      end = sample.start + sample.size
      if (isVideo) held += sample.duration
      const isLong = isVideo && sample.time + sample.duration > to
      table.add(isLong ? { ...sample, duration: to - sample.time } : sample)
    },
    isChunkLong: () => held >= chunkSeconds * timescale,
    takeChunk() {
      take()
      held = 0
      const taken = parts
      parts = []
      return taken
    },
    seconds: () => table.duration / timescale,
  }
}
