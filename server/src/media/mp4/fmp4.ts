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

interface SampleDefaults {
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

/** One `moof` with its `mdat`. */
export interface Fragment {
  readonly data: Buffer
  /** Whether it begins with a frame that needs no earlier one. */
  readonly key: boolean
  /** Whether it contains video, and not only audio. */
  readonly video: boolean
  /** Decode time of its first sample, seconds since the stream began. */
  readonly time: number
  /** Seconds. */
  readonly duration: number
  readonly samples: number
  /** Position of the first frame in `data`. */
  readonly first: { readonly start: number; readonly end: number }
}

export interface Fmp4Receiver {
  init(segment: InitSegment): void
  fragment(fragment: Fragment): void
}

/** The input is not fragmented MP4, or a box is too large. */
export class Fmp4Error extends Error {
  override readonly name = 'Fmp4Error'
}

/** Bytes. An 8K key frame at the highest bit rate stays far below the last limit. */
const limits = { ftyp: 4096, moov: 1 << 20, moof: 1 << 20, mdat: 32 << 20, other: 1 << 20 }

/** Splits a byte stream of fragmented MP4 into its init segment and fragments, regardless of chunk boundaries. */
export function createFmp4Parser(receiver: Fmp4Receiver): { write(chunk: Buffer): void } {
  let waiting: Buffer[] = []
  let held = 0
  let needed = 8
  let header: Buffer | undefined
  let init: InitSegment | undefined
  let moof: Buffer | undefined

  const box = (data: Buffer): void => {
    const type = typeOf(data, 0)
    if (type === 'ftyp') header = data
    if (type === 'moov') {
      if (!header) throw new Fmp4Error('moov before ftyp')
      init = readInit(header, data)
      receiver.init(init)
    }
    if (type === 'moof') moof = data
    if (type === 'mdat' && moof) {
      if (!init) throw new Fmp4Error('moof before moov')
      const fragment = readFragment(init, moof, data)
      moof = undefined
      receiver.fragment(fragment)
    }
  }

  return {
    write(chunk) {
      waiting.push(chunk)
      held += chunk.length
      while (held >= needed) {
        let all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, held)
        let size = sizeOf(all)
        while (size <= all.length && size > 0) {
          box(all.subarray(0, size))
          all = all.subarray(size)
          size = sizeOf(all)
        }
        waiting = all.length > 0 ? [all] : []
        held = all.length
        needed = Math.max(size, 8)
        if (size === 0) return
      }
    },
  }
}

/** Size in bytes of the box that begins here; 0 if more data is needed. */
function sizeOf(data: Buffer): number {
  if (data.length < 8) return 0
  const size = data.readUInt32BE(0)
  const type = typeOf(data, 0)
  const limit = type in limits ? limits[type as keyof typeof limits] : limits.other
  // Our ffmpeg arguments never produce sizes 0 (to the end) and 1 (64 bits) on a pipe.
  if (size < 8 || size > limit) throw new Fmp4Error(`a box of ${size} bytes`)
  return size
}

const typeOf = (data: Buffer, at: number): string => data.toString('latin1', at + 4, at + 8)

interface Box {
  readonly type: string
  readonly body: Buffer
  /** Position of the body in the searched buffer. */
  readonly at: number
}

function* boxesIn(data: Buffer, from = 0): Generator<Box> {
  let at = from
  while (at + 8 <= data.length) {
    const size = data.readUInt32BE(at)
    if (size < 8 || at + size > data.length) throw new Fmp4Error('a box that leaves its parent')
    yield { type: typeOf(data, at), body: data.subarray(at + 8, at + size), at: at + 8 }
    at += size
  }
}

/** The body of the box at a path of types; undefined if missing. */
function find(data: Buffer, ...path: readonly string[]): Buffer | undefined {
  let here: Buffer | undefined = data
  for (const type of path) {
    let next: Buffer | undefined
    for (const box of here ? boxesIn(here) : []) if (!next && box.type === type) next = box.body
    here = next
  }
  return here
}

function must(body: Buffer | undefined, what: string, length: number): Buffer {
  if (!body || body.length < length) throw new Fmp4Error(`no whole ${what}`)
  return body
}

function readInit(ftyp: Buffer, moov: Buffer): InitSegment {
  const body = moov.subarray(8)
  const defaults = new Map<number, SampleDefaults>()
  for (const box of boxesIn(find(body, 'mvex') ?? Buffer.alloc(0))) {
    if (box.type !== 'trex') continue
    const trex = must(box.body, 'trex', 24)
    defaults.set(trex.readUInt32BE(4), {
      duration: trex.readUInt32BE(12),
      size: trex.readUInt32BE(16),
      flags: trex.readUInt32BE(20),
    })
  }
  const tracks: Track[] = []
  for (const box of boxesIn(body)) if (box.type === 'trak') tracks.push(readTrack(box.body, defaults))
  if (tracks.length === 0) throw new Fmp4Error('no track')
  const video = tracks.some(({ kind }) => kind === 'video')
  const codecs = tracks.map(({ codec }) => codec).join(', ')
  return {
    data: Buffer.concat([ftyp, moov]),
    tracks,
    mime: `${video ? 'video' : 'audio'}/mp4; codecs="${codecs}"`,
  }
}

function readTrack(trak: Buffer, defaults: ReadonlyMap<number, SampleDefaults>): Track {
  const tkhd = must(find(trak, 'tkhd'), 'tkhd', 32)
  const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12)
  const mdhd = must(find(trak, 'mdia', 'mdhd'), 'mdhd', 24)
  const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
  if (timescale === 0) throw new Fmp4Error('a timescale of 0')
  const handler = must(find(trak, 'mdia', 'hdlr'), 'hdlr', 12).toString('latin1', 8, 12)
  const kind = handler === 'vide' ? 'video' : handler === 'soun' ? 'audio' : 'other'
  const stsd = must(find(trak, 'mdia', 'minf', 'stbl', 'stsd'), 'stsd', 16)
  const entry = must(stsd.subarray(16), 'sample entry', kind === 'video' ? 78 : 8)
  sayHvc1(stsd, entry)
  const type = typeOf(stsd, 8)
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

function codecOf(type: string, entry: Buffer): string {
  switch (type) {
    case 'avc1':
    case 'avc3': {
      const avcC = must(find(entry.subarray(78), 'avcC'), 'avcC', 4)
      return `${type}.${avcC.toString('hex', 1, 4).toUpperCase()}`
    }
    case 'hvc1':
    case 'hev1':
      return hevcCodec(type, must(find(entry.subarray(78), 'hvcC'), 'hvcC', 13))
    case 'mp4a':
      return aacOf(entry).codec
    case 'Opus':
      return 'opus'
    default:
      return type.replaceAll(/[^A-Za-z0-9]/g, '')
  }
}

/** Kinds of parameter sets of H.265: video, sequence, picture. */
const parameterSets = [32, 33, 34]

/**
 * ffmpeg calls H.265 `hev1`, which Apple's players reject. If all parameter sets are in the init segment, the stream is
 * also valid `hvc1`, and is renamed in place.
 */
function sayHvc1(stsd: Buffer, entry: Buffer): void {
  if (typeOf(stsd, 8) !== 'hev1') return
  const hvcC = find(entry.subarray(78), 'hvcC')
  if (!hvcC || hvcC.length < 23) return
  const arrays: number[] = []
  let at = 23
  for (let array = 0; array < hvcC[22]! && at + 3 <= hvcC.length; array++) {
    arrays.push(at)
    let units = hvcC.readUInt16BE(at + 1)
    for (at += 3; units > 0 && at + 2 <= hvcC.length; units--) at += 2 + hvcC.readUInt16BE(at)
  }
  if (!parameterSets.every((kind) => arrays.some((place) => (hvcC[place]! & 0x3f) === kind))) return
  for (const place of arrays) hvcC[place]! |= 0x80
  stsd.write('hvc1', 12, 'latin1')
}

/** ISO/IEC 14496-15, annex E.3: profile space and idc, compatibility in reverse, tier and level, constraint bytes. */
function hevcCodec(type: string, hvcC: Buffer): string {
  const space = ['', 'A', 'B', 'C'][hvcC[1]! >> 6]!
  const tier = (hvcC[1]! & 0x20) === 0 ? 'L' : 'H'
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) if (((hvcC.readUInt32BE(2) >>> bit) & 1) === 1) reversed += 2 ** (31 - bit)
  const constraints = [...hvcC.subarray(6, 12)]
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop()
  return [
    type,
    `${space}${hvcC[1]! & 0x1f}`,
    reversed.toString(16).toUpperCase(),
    `${tier}${hvcC[12]!}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.')
}

/** Reads the descriptors of ISO/IEC 14496-1: 3 (stream), 4 (decoder: object type), 5 (its configuration). */
function aacOf(entry: Buffer): { codec: string; channels: number } {
  const esds = must(find(entry.subarray(28), 'esds'), 'esds', 4)
  let at = 4
  let objectType = 0x40
  while (at + 2 <= esds.length) {
    const tag = esds[at++]!
    while (at < esds.length && (esds[at]! & 0x80) !== 0) at++
    at++
    if (tag === 3) {
      const flags = esds[at + 2] ?? 0
      at += 3 + ((flags & 0x80) === 0 ? 0 : 2) + ((flags & 0x20) === 0 ? 0 : 2)
      if ((flags & 0x40) !== 0) at += 1 + (esds[at] ?? 0)
    } else if (tag === 4) {
      objectType = esds[at] ?? 0
      at += 13
    } else if (tag === 5) {
      const [first = 0, second = 0] = esds.subarray(at)
      const profile = first >> 3
      const rate = ((first & 7) << 1) | (second >> 7)
      return {
        codec: `mp4a.${objectType.toString(16)}.${profile === 31 ? 32 + ((first & 7) << 3) : profile}`,
        // With an explicit rate or profile, the channels are stored elsewhere; no known encoder writes that.
        channels: rate === 15 || profile === 31 ? 0 : (second >> 3) & 15,
      }
    } else break
  }
  return { codec: `mp4a.${objectType.toString(16)}`, channels: 0 }
}

const notSync = 0x10000

function readFragment({ tracks }: InitSegment, moof: Buffer, mdat: Buffer): Fragment {
  let found: Omit<Fragment, 'data'> | undefined
  for (const box of boxesIn(moof, 8)) {
    if (box.type !== 'traf') continue
    const run = readRun(tracks, box.body)
    if (run && (!found || (run.video && !found.video))) found = run
  }
  if (!found) throw new Fmp4Error('a fragment without samples')
  const data = joined(moof, mdat)
  const { start, end } = found.first
  const inside = start >= moof.length + 8 && end <= data.length
  return { data, ...found, first: inside ? found.first : { start: 0, end: 0 } }
}

/** Joins both; copies only if they arrived separately, which is rare: most video passes through here. */
function joined(moof: Buffer, mdat: Buffer): Buffer {
  const adjoin = moof.buffer === mdat.buffer && moof.byteOffset + moof.length === mdat.byteOffset
  return adjoin ? Buffer.from(moof.buffer, moof.byteOffset, moof.length + mdat.length) : Buffer.concat([moof, mdat])
}

function readRun(tracks: readonly Track[], traf: Buffer): Omit<Fragment, 'data'> | undefined {
  const tfhd = must(find(traf, 'tfhd'), 'tfhd', 8)
  const track = tracks.find(({ id }) => id === tfhd.readUInt32BE(4))
  const trun = find(traf, 'trun')
  if (!track || !trun) return undefined
  const base = optional(tfhd, 8, [
    [0x1, 8],
    [0x2, 4],
    [0x8, 4],
    [0x10, 4],
    [0x20, 4],
  ])
  const defaults = {
    duration: base.get(0x8) ?? track.defaults.duration,
    size: base.get(0x10) ?? track.defaults.size,
    flags: base.get(0x20) ?? track.defaults.flags,
  }
  const samples = must(trun, 'trun', 8).readUInt32BE(4)
  const has = trun.readUInt32BE(0) & 0xffffff
  const head = optional(trun, 8, [
    [0x1, 4],
    [0x4, 4],
  ])
  const start = 8 + ((has & 0x1) === 0 ? 0 : 4) + ((has & 0x4) === 0 ? 0 : 4)
  const perSample = [0x100, 0x200, 0x400, 0x800].filter((flag) => (has & flag) !== 0)
  if (start + samples * perSample.length * 4 > trun.length) throw new Fmp4Error('a trun that ends early')
  const field = (sample: number, flag: number): number | undefined => {
    const column = perSample.indexOf(flag)
    return column < 0 ? undefined : trun.readUInt32BE(start + (sample * perSample.length + column) * 4)
  }
  let ticks = (has & 0x100) === 0 ? samples * defaults.duration : 0
  if ((has & 0x100) !== 0) for (let sample = 0; sample < samples; sample++) ticks += field(sample, 0x100)!
  const flags = head.get(0x4) ?? field(0, 0x400) ?? defaults.flags
  const tfdt = must(find(traf, 'tfdt'), 'tfdt', 8)
  const decodeTime = readTime(tfdt)
  const offset = head.get(0x1) ?? 0
  const video = track.kind === 'video'
  return {
    key: video && samples > 0 && (flags & notSync) === 0,
    video,
    time: decodeTime / track.timescale,
    duration: ticks / track.timescale,
    samples,
    first: { start: offset, end: samples > 0 ? offset + (field(0, 0x200) ?? defaults.size) : offset },
  }
}

/** Fields that exist only if the box's flags are set, in order: flag → value. */
function optional(box: Buffer, from: number, fields: readonly (readonly [number, 4 | 8])[]): Map<number, number> {
  const flags = box.readUInt32BE(0) & 0xffffff
  const values = new Map<number, number>()
  let at = from
  for (const [flag, length] of fields) {
    if ((flags & flag) === 0) continue
    if (at + length > box.length) throw new Fmp4Error('a box that ends early')
    if (length === 4) values.set(flag, box.readUInt32BE(at))
    at += length
  }
  return values
}

/**
 * The H.264 or HEVC parameter sets inside a fragment's first frame, as one value to compare. Empty if there are none:
 * then the init segment describes the frame.
 */
export function parameterSetsIn({ data, first }: Fragment, codec: string): Buffer {
  const hevc = codec.startsWith('h')
  if (!hevc && !codec.startsWith('avc')) return Buffer.alloc(0)
  const sets: Buffer[] = []
  for (let at = first.start; at + 5 <= first.end;) {
    const length = data.readUInt32BE(at)
    const kind = hevc ? (data[at + 4]! >> 1) & 0x3f : data[at + 4]! & 0x1f
    const unit = data.subarray(at + 4, Math.min(at + 4 + length, first.end))
    // The sequence parameter set: size, profile and level of the video.
    if (kind === (hevc ? 33 : 7)) sets.push(unit)
    at += 4 + length
  }
  return Buffer.concat(sets)
}

function readTime(tfdt: Buffer): number {
  return tfdt[0] === 1 ? Number(must(tfdt, 'tfdt', 12).readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
}
