import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fmp4Error, makeFullBox, words } from './box.ts'
import { findDecodeTime, readDecodeTime, writeDecodeTime } from './decode-time.ts'

const boxes = { 32: makeFullBox('tfdt', 0, words(0)), 64: makeFullBox('tfdt', 0x01_00_00_00, words(0, 0)) }

test.each([
  [32, 0xffff_ffff],
  [64, Number.MAX_SAFE_INTEGER],
] as const)('a time of %i bits is read as it was written, up to %i', (bits, max) => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(0, max), fc.integer({ min: 0, max })), (time) => {
      const data = Buffer.from(boxes[bits])
      const body = findDecodeTime(data, 0, data.length)
      writeDecodeTime(data, body, time)
      expect(readDecodeTime(data, body)).toBe(time)
      if (bits === 64) expect(data.readBigUInt64BE(body + 4)).toBe(BigInt(time))
    }),
  )
  const data = Buffer.from(boxes[bits])
  expect(() => writeDecodeTime(data, 8, max + 1)).toThrow(Fmp4Error)
  expect(data).toEqual(boxes[bits])
})

test('a time that a number cannot express is rejected', () => {
  const data = Buffer.from(boxes[64])
  data.writeBigUInt64BE(2n ** 53n, 12)
  expect(() => readDecodeTime(data, 8)).toThrow(Fmp4Error)
})

test('a box that is too short for its version is rejected', () => {
  const data = makeFullBox('tfdt', 0x01_00_00_00, words(0))
  expect(() => findDecodeTime(data, 0, data.length)).toThrow(Fmp4Error)
})
