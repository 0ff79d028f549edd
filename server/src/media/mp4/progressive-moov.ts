import {
  afterTimes,
  atLeast,
  bodiesIn,
  bodyIn,
  boxesIn,
  makeBox,
  makeFullBox,
  typeOf,
  words,
  writeLong,
} from './box.ts'
import type { InitSegment, Track } from './init-segment.ts'
import type { SampleTable } from './sample-table.ts'

/** What is written into the `moov` of a progressive MP4. */
export interface Movie {
  readonly init: InitSegment
  /** One for each track of the init segment, in its order. A track without samples is left out. */
  readonly tables: readonly SampleTable[]
  /** Seconds of each track that are not presented. */
  readonly lead: number
  /** Seconds of each track that are presented after those, if it has as many. */
  readonly length: number
  /** When the video was recorded, Unix milliseconds. */
  readonly filmed: number
}

/** Milliseconds from the MP4 epoch (1904) to the Unix epoch (1970). */
const before1970 = 2_082_844_800_000

const [hdlr, stsd, samples] = [typeOf('hdlr'), typeOf('stsd'), typeOf('stbl')]

/** Version 1 of a box has 64-bit times. */
const longTimes = 0x01_00_00_00

export interface ProgressiveMoov {
  /** The whole box. */
  readonly data: Buffer
  /** How long it plays, seconds. */
  readonly seconds: number
}

/**
 * The `moov` of a progressive MP4: descriptions of the tracks from the init segment, with tables of all samples. An edit
 * list (ISO/IEC 14496-12, 8.6.6) leaves out the lead, and frames that others need but that are shown after the end.
 *
 * @param first position of the first byte of all chunks in the file; the size of the box doesn't depend on it
 * @throws Fmp4Error if a box is missing or incomplete
 */
export function progressiveMoov({ init, tables, lead, length, filmed }: Movie, first: number): ProgressiveMoov {
  const timescale = init.tracks.find(({ kind }) => kind === 'video')?.timescale ?? 1000
  const created = Math.max(0, Math.floor((filmed + before1970) / 1000))
  const moov = bodyIn(init.data, 'moov') ?? Buffer.alloc(0)
  const traks = bodiesIn(moov, 'trak')
  let end = 0
  const made = init.tracks.flatMap((track, index) => {
    const [table, trak] = [tables[index], traks[index]]
    if (!table || !trak || table.count === 0) return []
    const edits = editsOf(track, table, { lead, length }, timescale)
    end = Math.max(end, edits.duration)
    return [
      makeBox(
        'trak',
        headerOf(trak, created, edits.duration),
        makeBox('edts', edits.box),
        makeBox('mdia', ...mediaOf(trak, table, created, first)),
      ),
    ]
  })
  const mvhd = atLeast(100, bodyIn(moov, 'mvhd'), 'mvhd')
  const rest = mvhd.subarray(afterTimes(mvhd) + (mvhd[0] === 1 ? 12 : 8))
  const header = makeFullBox('mvhd', longTimes, times(created, created), words(timescale), times(end), rest)
  return { data: makeBox('moov', header, ...made), seconds: end / timescale }
}

/** 64-bit numbers. */
function times(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) writeLong(data, index * 8, value)
  return data
}

/** Media time of an edit during which nothing is presented. */
const empty = 2 ** 32 - 1
/** The speed of an edit. */
const normalRate = 0x01_00_00

/** @param timescale of the movie, in which the result's duration is. */
function editsOf(
  track: Track,
  table: SampleTable,
  { lead, length }: Pick<Movie, 'lead' | 'length'>,
  timescale: number,
) {
  const cut = Math.round(lead * track.timescale)
  const inMovie = (ticks: number): number => Math.ceil((ticks * timescale) / track.timescale)
  const end = Math.min(table.end, Math.round((lead + length) * track.timescale))
  const shown = Math.max(0, end - Math.max(cut, table.start))
  const wait = Math.max(0, inMovie(table.start - cut))
  const edits = [
    ...(wait > 0 ? [times(wait), words(empty, empty, normalRate)] : []),
    times(inMovie(shown), Math.max(cut, table.start) - table.firstTime),
    words(normalRate),
  ]
  return { box: makeFullBox('elst', longTimes, words(wait > 0 ? 2 : 1), ...edits), duration: wait + inMovie(shown) }
}

/** `tkhd`. @param duration in the timescale of the movie */
function headerOf(trak: Buffer, created: number, duration: number): Buffer {
  const tkhd = atLeast(84, bodyIn(trak, 'tkhd'), 'tkhd')
  const id = afterTimes(tkhd)
  const rest = tkhd.subarray(id + (tkhd[0] === 1 ? 16 : 12))
  const flags = tkhd.readUInt32BE(0) & 0xffffff
  return makeFullBox(
    'tkhd',
    longTimes | flags,
    times(created, created),
    tkhd.subarray(id, id + 8),
    times(duration),
    rest,
  )
}

function mediaOf(trak: Buffer, table: SampleTable, created: number, first: number): Buffer[] {
  const mdia = bodyIn(trak, 'mdia') ?? Buffer.alloc(0)
  const mdhd = atLeast(24, bodyIn(mdia, 'mdhd'), 'mdhd')
  const at = afterTimes(mdhd)
  const language = mdhd.subarray(at + (mdhd[0] === 1 ? 12 : 8))
  const minf = bodyIn(mdia, 'minf') ?? Buffer.alloc(0)
  const stbl = bodyIn(minf, 'stbl') ?? Buffer.alloc(0)
  return [
    makeFullBox('mdhd', longTimes, times(created, created), mdhd.subarray(at, at + 4), times(table.duration), language),
    ...copied(mdia, (type) => type === hdlr),
    makeBox(
      'minf',
      ...copied(minf, (type) => type !== samples),
      makeBox('stbl', ...copied(stbl, (type) => type === stsd), ...table.boxes(first)),
    ),
  ]
}

const copied = (parent: Buffer, isCopied: (type: number) => boolean): Buffer[] =>
  boxesIn(parent, 0, parent.length)
    .filter(({ type }) => isCopied(type))
    .map(({ start, end }) => parent.subarray(start, end))
