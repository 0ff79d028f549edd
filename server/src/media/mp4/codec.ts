import { atLeast, bodyIn, typeAt, typeOf } from './box.ts'

/** The codec of a track, as in `codecs="…"` (RFC 6381), from its sample entry. */
export function codecOf(type: string, entry: Buffer): string {
  switch (type) {
    case 'avc1':
    case 'avc3': {
      const avcC = atLeast(4, bodyIn(entry.subarray(78), 'avcC'), 'avcC')
      return `${type}.${avcC.toString('hex', 1, 4).toUpperCase()}`
    }
    case 'hvc1':
    case 'hev1':
      return hevcCodec(type, atLeast(13, bodyIn(entry.subarray(78), 'hvcC'), 'hvcC'))
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
export function renameToHvc1(stsd: Buffer, entry: Buffer): void {
  if (typeAt(stsd, 8) !== typeOf('hev1')) return
  const hvcC = bodyIn(entry.subarray(78), 'hvcC')
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
export function aacOf(entry: Buffer): { codec: string; channels: number } {
  const esds = atLeast(4, bodyIn(entry.subarray(28), 'esds'), 'esds')
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
