import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from '../ffmpeg/find-ffmpeg.ts'
import { Fmp4Error } from './box.ts'
import { createFmp4Parser } from './fmp4-parser.ts'
import { parameterSetsIn, type Fragment } from './fragment.ts'
import type { InitSegment } from './init-segment.ts'

const flags = '+frag_every_frame+empty_moov+default_base_moof'

/** One second of ten frames, two of them key frames, and audio if requested. */
function sample(...codec: readonly string[]): Buffer {
  const audio = codec.includes('aac') ? ['-f', 'lavfi', '-i', 'sine=r=44100'] : []
  const args = [
    ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', ...audio, '-t', '1'],
    ['-pix_fmt', 'yuv420p', '-g', '5', ...codec, '-f', 'mp4', '-movflags', flags, 'pipe:1'],
  ].flat()
  const { stdout } = spawnSync(findFfmpeg() ?? 'ffmpeg', args, { maxBuffer: 64 << 20 })
  return stdout
}

interface Parsed {
  readonly inits: InitSegment[]
  readonly fragments: Fragment[]
}

function parse(chunks: Iterable<Buffer>): Parsed {
  const parsed: Parsed = { inits: [], fragments: [] }
  const parser = createFmp4Parser({
    init: (segment) => parsed.inits.push(segment),
    fragment: (fragment) => parsed.fragments.push(fragment),
  })
  for (const chunk of chunks) parser.write(chunk)
  return parsed
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'baseline', '-x264-params', 'scenecut=0']
let video: Buffer

beforeAll(() => {
  video = sample(...h264)
  expect(video.length).toBeGreaterThan(1000)
})

test('a stream is split into its init segment and its fragments without losing a byte', () => {
  const { inits, fragments } = parse([video])
  expect(inits).toHaveLength(1)
  expect(inits[0]!.mime).toMatch(/^video\/mp4; codecs="avc1\.42C00[0-9A-F]"$/)
  expect(inits[0]!.tracks).toMatchObject([{ kind: 'video', width: 320, height: 240 }])
  expect(fragments.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => i % 5 === 0))
  expect(fragments.map(({ time }) => Math.round(time * 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(fragments.every(({ duration, samples }) => samples === 1 && Math.abs(duration - 0.1) < 0.001)).toBe(true)
  const whole = Buffer.concat([inits[0]!.data, ...fragments.map(({ data }) => data)])
  expect(video.subarray(0, whole.length).equals(whole)).toBe(true)
})

test.each([
  ['H.264 with AAC', [...h264, '-c:a', 'aac'], /^video\/mp4; codecs="avc1\.42C00[0-9A-F], mp4a\.40\.2"$/],
  ['H.264 high', ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'], /codecs="avc1\.6400[0-9A-F]{2}"/],
  ['HEVC', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'], /"hvc1\.1\.6\.L\d+\.90"/],
  ['MPEG-4 part 2', ['-c:v', 'mpeg4'], /codecs="mp4v"/],
])('%s is named as Media Source Extensions require', (_name, codec, mime) => {
  expect(parse([sample(...codec)]).inits[0]!.mime).toMatch(mime)
})

test('the result does not depend on how the bytes are split', () => {
  const whole = parse([video])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: video.length }), { maxLength: 60 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), video.length]
      const chunks = places.slice(1).map((end, i) => video.subarray(places[i], end))
      expect(parse(chunks).fragments.map(({ data }) => data.length)).toEqual(
        whole.fragments.map(({ data }) => data.length),
      )
    }),
    { numRuns: 50 },
  )
  expect(parse(Array.from(video, (_, i) => video.subarray(i, i + 1))).fragments).toEqual(whole.fragments)
})

describe('what isn’t a stream of ours', () => {
  test('a broken byte gives an Fmp4Error or another stream, and nothing else', () => {
    fc.assert(
      fc.property(fc.nat(Math.min(video.length, 4000) - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const broken = Buffer.from(video)
        broken[at] = byte
        try {
          parse([broken])
        } catch (error) {
          expect(error).toBeInstanceOf(Fmp4Error)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('garbage is rejected, and never buffered beyond the size limit of a box', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 200 }), (bytes) => {
        try {
          parse([Buffer.from(bytes)])
        } catch (error) {
          expect(error).toBeInstanceOf(Fmp4Error)
        }
      }),
    )
    const huge = Buffer.alloc(8)
    huge.writeUInt32BE(33 << 20)
    huge.write('mdat', 4, 'latin1')
    expect(() => parse([huge])).toThrow(Fmp4Error)
  })

  test.each(['moof', 'mdat', 'moov'])('a stream that begins with %s', (type) => {
    const at = video.indexOf(type, 0, 'latin1') - 4
    expect(() => parse([video.subarray(at)])).toThrow(Fmp4Error)
  })
})

test.each([
  ['avc1.42C00B', [0x67, 0x68, 0x65], [0x67]],
  ['hev1.1.6.L60.90', [0x40, 0x42, 0x44, 0x26], [0x42]],
  ['av01.0.04M.08', [0x67, 0x42], []],
])('the sequence parameter sets of a frame in %s are found', (codec, kinds, requested) => {
  const units = kinds.map((kind) => Buffer.from([0, 0, 0, 3, kind, 1, 2]))
  const data = Buffer.concat([Buffer.alloc(10), ...units])
  const frame = {
    data,
    key: true,
    video: true,
    time: 0,
    duration: 0,
    samples: 1,
    first: { start: 10, end: data.length },
  }
  expect([...parameterSetsIn(frame, codec)]).toEqual(requested.flatMap((kind) => [kind, 1, 2]))
})
