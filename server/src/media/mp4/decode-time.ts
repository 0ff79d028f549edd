import { bodyAt, Fmp4Error, typeOf } from './box.ts'

const tfdt = typeOf('tfdt')

/** A time has 32 or 64 bits, by the version of its box. */
const isLong = (data: Buffer, body: number): boolean => data[body] === 1

/**
 * Position of the body of the `tfdt` in a `traf`: the decode time of its first sample.
 *
 * @throws Fmp4Error if missing or incomplete
 */
export function findDecodeTime(data: Buffer, from: number, to: number): number {
  const body = bodyAt(data, tfdt, from, to, 8)
  return isLong(data, body) ? bodyAt(data, tfdt, from, to, 12) : body
}

/** Without BigInt, which would be two objects for each fragment. */
const high = 2 ** 32

/** @returns ticks of the track. @throws Fmp4Error for a time that a number can't express exactly */
export function readDecodeTime(data: Buffer, body: number): number {
  if (!isLong(data, body)) return data.readUInt32BE(body + 4)
  const time = data.readUInt32BE(body + 4) * high + data.readUInt32BE(body + 8)
  if (time > Number.MAX_SAFE_INTEGER) throw new Fmp4Error(`a time of ${time} ticks`)
  return time
}

/** @param time ticks of the track, an integer. @throws Fmp4Error if it does not fit */
export function writeDecodeTime(data: Buffer, body: number, time: number): void {
  if (time > (isLong(data, body) ? Number.MAX_SAFE_INTEGER : high - 1)) throw new Fmp4Error(`a time of ${time} ticks`)
  if (isLong(data, body)) {
    data.writeUInt32BE(Math.floor(time / high), body + 4)
    data.writeUInt32BE(time % high, body + 8)
  } else data.writeUInt32BE(time, body + 4)
}
