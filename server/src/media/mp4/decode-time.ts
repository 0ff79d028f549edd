import { bodyAt, Fmp4Error, readLong, typeOf, writeLong } from './box.ts'

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

/** @returns ticks of the track. @throws Fmp4Error for a time that a number can't express exactly */
export const readDecodeTime = (data: Buffer, body: number): number =>
  isLong(data, body) ? readLong(data, body + 4) : data.readUInt32BE(body + 4)

/** @param time ticks of the track, an integer. @throws Fmp4Error if it does not fit */
export function writeDecodeTime(data: Buffer, body: number, time: number): void {
  if (time > (isLong(data, body) ? Number.MAX_SAFE_INTEGER : 0xffff_ffff))
    throw new Fmp4Error(`a time of ${time} ticks`)
  if (isLong(data, body)) writeLong(data, body + 4, time)
  else data.writeUInt32BE(time, body + 4)
}
