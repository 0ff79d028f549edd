import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { findFfmpeg } from '../ffmpeg/find-ffmpeg.ts'
import { Fmp4Error } from './box.ts'
import { createFmp4Parser } from './fmp4-parser.ts'
import type { Fragment } from './fragment.ts'
import { shiftTimestamps } from './shift-timestamps.ts'

let recorded: Buffer

beforeAll(() => {
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10', '-f', 'lavfi', '-i', 'sine=r=44100', '-t', '1']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '5', '-c:a', 'aac']
  const muxer = ['-f', 'mp4', '-movflags', '+frag_every_frame+empty_moov+default_base_moof', 'pipe:1']
  const args = ['-v', 'error', '-nostdin', ...sources, ...codecs, ...muxer]
  recorded = spawnSync(findFfmpeg() ?? 'ffmpeg', args, { maxBuffer: 64 << 20 }).stdout
})

function fragmentsOf(file: Buffer): Fragment[] {
  const fragments: Fragment[] = []
  createFmp4Parser({ init: () => {}, fragment: (fragment) => fragments.push(fragment) }).write(Buffer.from(file))
  return fragments
}

const moved = (at: number): Buffer => {
  const file = Buffer.from(recorded)
  shiftTimestamps(file, at)
  return file
}

test('the first frame is at the requested time, and all other distances stay the same', () => {
  const before = fragmentsOf(recorded)
  const first = before.find(({ video }) => video)!
  const after = fragmentsOf(moved(90_061.25))
  expect(before.some(({ video }) => !video)).toBe(true)
  expect(after).toHaveLength(before.length)
  for (const [number, { time, duration, video }] of after.entries()) {
    expect(time - 90_061.25).toBeCloseTo(before[number]!.time - first.time, 3)
    expect({ duration, video }).toEqual({ duration: before[number]!.duration, video: before[number]!.video })
  }
})

test('a time before the start becomes the start', () => {
  const times = fragmentsOf(moved(-0.5)).map(({ time }) => time)
  expect(Math.min(...times)).toBe(0)
})

test('a file truncated anywhere is shifted or rejected, and never read past its end', () => {
  for (let length = 0; length < recorded.length; length += 7) {
    const torn = Buffer.from(recorded.subarray(0, length))
    try {
      shiftTimestamps(torn, 5)
    } catch (error) {
      expect(error).toBeInstanceOf(Fmp4Error)
    }
  }
})

test.each(['tfhd', 'tfdt', 'traf', 'moov'])('a file without its %s is rejected', (type) => {
  const file = Buffer.from(recorded.toString('latin1').replaceAll(type, 'free'), 'latin1')
  expect(() => shiftTimestamps(file, 5)).toThrow(Fmp4Error)
})

test('a time that does not fit is rejected', () => {
  const file = Buffer.from(recorded)
  const last = file.lastIndexOf('tfdt', undefined, 'latin1') + 4
  expect(file[last]).toBe(1)
  file.writeUInt32BE(0x0040_0000, last + 4)
  expect(() => shiftTimestamps(file, 5)).toThrow(Fmp4Error)
})
