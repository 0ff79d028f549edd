import { afterTimes, atLeast, bodiesIn, bodyIn, endOf, findBox, Fmp4Error, headerSize, typeOf } from './box.ts'
import { aacOf, codecOf, renameToHvc1 } from './codec.ts'

/** One track of a stream, as described by its init segment. */
export interface Track {
  readonly id: number
  readonly kind: 'video' | 'audio' | 'other'
  /** As in `video/mp4; codecs="…"` (RFC 6381); the name of the box if the codec is unknown. */
  readonly codec: string
  /** Ticks per second. */
  readonly timescale: number
  /** Pixels; 0 where it has none. */
  readonly width: number
  readonly height: number
  /** Of AAC, from its configuration; 0 if unknown. */
  readonly channels: number
  readonly defaults: SampleDefaults
}

/** Of samples whose fragment does not say otherwise. Ticks of the track, bytes, flags. */
export interface SampleDefaults {
  readonly duration: number
  readonly size: number
  readonly flags: number
}

/** `ftyp` and `moov`: what a player needs before any fragment. */
export interface InitSegment {
  readonly data: Buffer
  readonly tracks: readonly Track[]
  /** For Media Source Extensions. */
  readonly mime: string
}

/**
 * Finds and reads the init segment in a file, or in its beginning.
 *
 * @throws Fmp4Error
 */
export function initSegmentIn(file: Buffer): InitSegment {
  const wholeBox = (type: number): Buffer => {
    const box = findBox(file, type, 0, file.length)
    if (box < 0) throw new Fmp4Error('no init segment')
    return file.subarray(box, endOf(file, box, file.length))
  }
  return readInitSegment(wholeBox(typeOf('ftyp')), wholeBox(typeOf('moov')))
}

/**
 * Reads whole `ftyp` and `moov` boxes. H.265 is renamed to `hvc1` in place, if possible.
 *
 * @throws Fmp4Error
 */
export function readInitSegment(ftyp: Buffer, moov: Buffer): InitSegment {
  const tracks = readTracks(moov)
  if (tracks.length === 0) throw new Fmp4Error('no track')
  const video = tracks.some(({ kind }) => kind === 'video')
  const codecs = tracks.map(({ codec }) => codec).join(', ')
  return {
    data: Buffer.concat([ftyp, moov]),
    tracks,
    mime: `${video ? 'video' : 'audio'}/mp4; codecs="${codecs}"`,
  }
}

/**
 * The tracks of a whole `moov`, in the order of its `trak` boxes. H.265 is renamed to `hvc1` in place, if possible.
 *
 * @throws Fmp4Error
 */
export function readTracks(moov: Buffer): Track[] {
  const body = moov.subarray(headerSize)
  const defaults = new Map<number, SampleDefaults>()
  for (const each of bodiesIn(bodyIn(body, 'mvex') ?? Buffer.alloc(0), 'trex')) {
    const trex = atLeast(24, each, 'trex')
    defaults.set(trex.readUInt32BE(4), {
      duration: trex.readUInt32BE(12),
      size: trex.readUInt32BE(16),
      flags: trex.readUInt32BE(20),
    })
  }
  return bodiesIn(body, 'trak').map((trak) => readTrack(trak, defaults))
}

function readTrack(trak: Buffer, defaults: ReadonlyMap<number, SampleDefaults>): Track {
  const tkhd = atLeast(32, bodyIn(trak, 'tkhd'), 'tkhd')
  const id = tkhd.readUInt32BE(afterTimes(tkhd))
  const mdhd = atLeast(24, bodyIn(trak, 'mdia', 'mdhd'), 'mdhd')
  const timescale = mdhd.readUInt32BE(afterTimes(mdhd))
  if (timescale === 0) throw new Fmp4Error('a timescale of 0')
  const handler = atLeast(12, bodyIn(trak, 'mdia', 'hdlr'), 'hdlr').toString('latin1', 8, 12)
  const kind = handler === 'vide' ? 'video' : handler === 'soun' ? 'audio' : 'other'
  const stsd = atLeast(16, bodyIn(trak, 'mdia', 'minf', 'stbl', 'stsd'), 'stsd')
  const entry = atLeast(kind === 'video' ? 78 : 8, stsd.subarray(16), 'stsd')
  renameToHvc1(stsd, entry)
  const type = stsd.toString('latin1', 12, 16)
  return {
    id,
    kind,
    codec: codecOf(type, entry),
    timescale,
    width: kind === 'video' ? entry.readUInt16BE(24) : 0,
    height: kind === 'video' ? entry.readUInt16BE(26) : 0,
    channels: type === 'mp4a' ? aacOf(entry).channels : 0,
    defaults: defaults.get(id) ?? { duration: 0, size: 0, flags: 0 },
  }
}
