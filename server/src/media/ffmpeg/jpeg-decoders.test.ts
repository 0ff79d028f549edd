import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { childrenOf } from '../../../test/support/children.ts'
import { jpegSize } from '../../../test/support/jpeg-size.ts'
import { silent } from '../../../test/support/null-log.ts'
import type { Log } from '../../shared/log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { createJpegOutputs } from '../live/jpeg-outputs.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { createFmp4Parser } from '../mp4/fmp4-parser.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { createJpegDecoders, type JpegDecoder, type JpegReceiver, type StartJpegDecoder } from './jpeg-decoders.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { createJpegSplitter } from './jpeg-frames.ts'

const programs = [...new Set([findFfmpeg(), findFfmpeg({ PATH: '' })])].filter((file) => file !== undefined)
const [ffmpeg = 'ffmpeg'] = programs

interface Video {
  readonly init: InitSegment
  readonly fragments: readonly Fragment[]
}

/** Three seconds of 704×576, the size of PAL, with a key frame at the begin of each. */
function video(...encode: readonly string[]): Video {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=704x576:r=10:d=3']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-sc_threshold', '0', '-pix_fmt', 'yuv420p']
  const output = ['-f', 'mp4', '-movflags', '+frag_every_frame+empty_moov+default_base_moof', 'pipe:1']
  const bytes = execFileSync(ffmpeg, ['-v', 'error', ...source, ...encoder, ...encode, ...output], {
    maxBuffer: 1 << 26,
  })
  let init: InitSegment | undefined
  const fragments: Fragment[] = []
  createFmp4Parser({ init: (segment) => (init = segment), fragment: (each) => fragments.push(each) }).write(bytes)
  return { init: init!, fragments }
}

const decodersOf = (program: string, cameras = 1, log: Log = silent): StartJpegDecoder =>
  createJpegDecoders({
    ffmpeg: program,
    cameras: () => cameras,
    log,
    clock: systemClock,
    random: { bytes: (length) => Buffer.alloc(length) },
    backoff: { first: 10, max: 10 },
  })('yard')

function started(
  start: StartJpegDecoder,
  height: number | undefined,
  jpegs: Uint8Array[] = [],
  {
    onJpeg,
    onFailure = () => undefined,
    isOptional = false,
    onDisplaced = () => undefined,
  }: Partial<JpegReceiver> = {},
): JpegDecoder {
  const receiver: JpegReceiver = {
    onJpeg(jpeg, at) {
      jpegs.push(jpeg)
      onJpeg?.(jpeg, at)
    },
    onFailure,
    isOptional,
    onDisplaced,
  }
  const decoder = start(height, receiver)
  onTestFinished(() => decoder.stop())
  return decoder
}

describe.each(programs)('with %s', (program) => {
  test.each([
    ['without B-frames', ['-bf', '0']],
    ['with B-frames', ['-bf', '2']],
  ])(
    'each key frame of a stream %s becomes a JPEG, by one child that ends with the decoder',
    async (_which, encode) => {
      const { init, fragments } = video(...encode)
      const jpegs: Uint8Array[] = []
      const others = new Set(childrenOf(process.pid))
      const own = (): number[] => childrenOf(process.pid).filter((pid) => !others.has(pid))
      const times: number[] = []
      const decoder = started(decodersOf(program), 180, jpegs, { onJpeg: (_jpeg, at) => void times.push(at) })
      decoder.begin(init)
      const seen = new Set<number>()
      let keys = 0
      for (const fragment of fragments) {
        if (fragment.key && keys++ > 0) await vi.waitFor(() => expect(jpegs).toHaveLength(keys - 1), 20_000)
        decoder.fragment(fragment, keys)
        for (const pid of own()) seen.add(pid)
      }
      await vi.waitFor(() => expect(jpegs).toHaveLength(3), 20_000)
      expect(seen.size).toBe(1)
      expect(times).toEqual([1, 2, 3])
      // As one of that frame alone.
      const first = fragments.find(({ key }) => key)!
      const alone = await createJpegEncoder({ ffmpeg: program }).jpegOf({ mp4: [init.data, first.data], at: 0 }, 180)
      expect(Buffer.from(jpegs[0]!).equals(alone)).toBe(true)
      decoder.stop()
      await vi.waitFor(() => expect(own()).toEqual([]), 20_000)
    },
  )

  test('a snapshot of a stream with B-frames is decoded, though the next frame is a key frame', async () => {
    const { init, fragments } = video('-bf', '2')
    const consumers = new Set<StreamConsumer>()
    const outputs = createJpegOutputs({
      follow(consumer) {
        consumers.add(consumer)
        consumer.begin(init)
        for (const fragment of fragments.slice(0, 10)) consumer.fragment(fragment, 1)
        return () => void consumers.delete(consumer)
      },
      startDecoder: decodersOf(program),
      // Its time limit doesn't end: starting ffmpeg can take longer on a busy machine.
      clock: createTestClock(),
    })
    onTestFinished(outputs.close)
    const waiting = outputs.newest(180, 1)
    for (const fragment of fragments.slice(10)) for (const each of consumers) each.fragment(fragment, 2)
    expect(jpegSize((await waiting) ?? Buffer.alloc(0))).toEqual({ width: 220, height: 180 })
  })

  test.each([
    ['square', '1/1', undefined, { width: 704, height: 576 }],
    ['wide', '16/11', undefined, { width: 1024, height: 576 }],
    ['wide', '16/11', 360, { width: 640, height: 360 }],
    ['narrow', '10/11', 720, { width: 640, height: 576 }],
  ])('of %s pixels, %s, an image has the shape of the video: %s high', async (_which, shape, height, size) => {
    const { init, fragments } = video('-vf', `setsar=${shape}`)
    const jpegs: Uint8Array[] = []
    const decoder = started(decodersOf(program), height, jpegs)
    decoder.begin(init)
    for (const fragment of fragments) decoder.fragment(fragment, Date.now())
    await vi.waitFor(() => expect(jpegs.length).toBeGreaterThan(0), 20_000)
    expect(jpegSize(jpegs[0]!)).toEqual(size)
    const frame = { mp4: [init.data, fragments[0]!.data], at: 0 }
    expect(jpegSize(await createJpegEncoder({ ffmpeg: program }).jpegOf(frame, height))).toEqual(size)
  })
})

test.each([
  [1, 64],
  [32, 64],
  [100, 200],
])('with %s cameras, at most %s decoders run, and one that was stopped makes room', (cameras, limit) => {
  const start = decodersOf('/bin/false', cameras)
  const running = Array.from({ length: limit }, () => started(start, 180))
  expect(() => started(start, 180)).toThrow(
    expect.objectContaining({ code: 'busy', reason: 'too-many-mjpeg-streams', retryAfter: 30 }),
  )
  running[0]!.stop()
  expect(() => started(start, 180)).not.toThrow()
})

test.each([
  [1, 32],
  [100, 100],
])('with %s cameras, optional ones are started until %s are running', (cameras, limit) => {
  const start = decodersOf('/bin/false', cameras)
  for (let at = 0; at < limit - 1; at += 1) started(start, 180)
  expect(() => started(start, 180, [], { isOptional: true })).not.toThrow()
  expect(() => started(start, 180, [], { isOptional: true })).toThrow(expect.objectContaining({ code: 'busy' }))
  expect(() => started(start, 180)).not.toThrow()
})

test('beyond the limit, one that is not optional ends the first optional one, and only that', () => {
  const start = decodersOf('/bin/false')
  const optional: JpegDecoder[] = []
  const ended: number[] = []
  for (const which of [0, 1]) {
    const onDisplaced = () => {
      ended.push(which)
      optional[which]?.stop()
    }
    optional.push(started(start, 180, [], { isOptional: true, onDisplaced }))
  }
  for (let at = 2; at < 64; at += 1) started(start, 180)
  expect(ended).toEqual([])
  expect(() => started(start, 180, [], { isOptional: true })).toThrow(expect.objectContaining({ code: 'busy' }))
  expect(ended).toEqual([])
  for (const expected of [[0], [0, 1]]) {
    started(start, 180)
    expect(ended).toEqual(expected)
  }
  expect(() => started(start, 180)).toThrow(expect.objectContaining({ code: 'busy' }))
})

test('a decoder that fails is logged and reported', async () => {
  const debug = vi.fn()
  const onFailure = vi.fn()
  const { init, fragments } = video()
  const decoder = started(decodersOf('/bin/false', 1, { ...silent, debug }), 180, [], { onFailure })
  decoder.begin(init)
  decoder.fragment(fragments[0]!, Date.now())
  await vi.waitFor(() => expect(debug).toHaveBeenCalled(), 20_000)
  const fields = { camera: 'yard', height: 180, reason: expect.any(String) }
  expect(debug).toHaveBeenCalledWith(fields, 'MJPEG decoding failed')
  expect(onFailure).toHaveBeenCalled()
})

test('JPEGs are cut out regardless of chunk boundaries, and contents that look like a header do no harm', () => {
  const contents = ['one', '\r\n--ffmpeg\r\nContent-length: 1\r\n\r\n', '', 'three'.repeat(1000)]
  const parts = contents.map(
    (each) => `Content-type: image/jpeg\r\nContent-length: ${each.length}\r\n\r\n${each}\r\n--ffmpeg\r\n`,
  )
  const stream = Buffer.from(`--ffmpeg\r\n${parts.join('')}`)
  for (const size of [1, 7, 50, stream.length]) {
    const found: string[] = []
    const split = createJpegSplitter((jpeg) => found.push(Buffer.from(jpeg).toString()))
    for (let at = 0; at < stream.length; at += size) split(stream.subarray(at, at + size))
    expect(found).toEqual(contents)
  }
})

test.each([
  ['a header without an end', 'x'.repeat(1024)],
  ['a header without a length', 'Content-type: image/jpeg\r\n\r\n'],
])('after %s, nothing is kept', (_what, header) => {
  const found: string[] = []
  const split = createJpegSplitter((jpeg) => found.push(String(jpeg)))
  split(Buffer.from(header))
  const concat = vi.spyOn(Buffer, 'concat')
  onTestFinished(() => concat.mockRestore())
  split(Buffer.from('Content-length: 3\r\n\r\none\r\n'))
  expect(concat).not.toHaveBeenCalled()
  expect(found).toEqual([])
})
