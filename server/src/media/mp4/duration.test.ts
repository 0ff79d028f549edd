import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { makeBox, makeFullBox, words } from './box.ts'
import { durationOf } from './duration.ts'

const padding = words(0, 0, 0, 0)
const short = (timescale: number, duration: number): Buffer =>
  makeFullBox('mvhd', 0, words(1, 2, timescale, duration), padding)
const long = (timescale: number, high: number, low: number): Buffer =>
  makeFullBox('mvhd', 0x01_00_00_00, words(0, 1, 0, 2, timescale, high, low), padding)
const ftyp = makeBox('ftyp', words(0))
const whole = Buffer.concat([ftyp, makeBox('free'), makeBox('moov', short(1000, 2500)), makeBox('mdat')])

test.each<[string, Buffer, number | undefined]>([
  ['times of 32 bits', whole, 2.5],
  ['times of 64 bits', makeBox('moov', long(1000, 1, 0)), 4_294_967.296],
  ['the table of contents after the samples', Buffer.concat([ftyp, makeBox('mdat', padding), whole]), 2.5],
  ['no table of contents', Buffer.concat([ftyp, makeBox('mdat', padding)]), undefined],
  ['an empty file', Buffer.alloc(0), undefined],
  ['a torn header', whole.subarray(0, ftyp.length + 5), undefined],
  ['a torn table of contents', whole.subarray(0, -10), undefined],
  ['a box of 0 bytes', Buffer.concat([words(0, 0), whole]), undefined],
  ['another box first', makeBox('moov', makeBox('trak', padding), short(1000, 2500), padding), undefined],
  ['a timescale of 0', makeBox('moov', short(0, 2500)), undefined],
])('the duration of a file with %s', async (_what, data, expected) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.mp4'), data)
  expect(await durationOf(join(folder, 'a.mp4'))).toBe(expected)
})
