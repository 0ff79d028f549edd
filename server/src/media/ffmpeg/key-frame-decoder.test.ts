import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findFfmpeg } from './find-ffmpeg.ts'
import { createFmp4Parser } from '../mp4/fmp4-parser.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { KeyFrameDecoder } from './key-frame-decoder.ts'
import type { StreamProblem } from './reason.ts'
import { createGrayFrameDecoder, minInterval, type GrayFrame } from './gray-frames.ts'
import { wait } from '../../../test/support/wait.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'

const programs = [...new Set([findFfmpeg(), findFfmpeg({ PATH: '' })])].filter((file) => file !== undefined)
const [ffmpeg = 'ffmpeg'] = programs
const noon = Date.UTC(2026, 10, 21, 12)
const size = { width: 16, height: 9 }

interface Stream {
  readonly init: InitSegment
  readonly fragments: readonly Fragment[]
}

const streams = new Map<string, Stream>()

/** Five seconds that get lighter by 20 levels every second, a key frame at the begin of each. Encoded once. */
function streamOf(...encode: readonly string[]): Stream {
  const key = encode.join(' ')
  const stream = streams.get(key) ?? encoded(encode)
  streams.set(key, stream)
  return stream
}

function encoded(encode: readonly string[]): Stream {
  const source = "color=black:s=320x180:r=10:d=5,geq=lum='40+20*floor(T)':cb=128:cr=128"
  const bytes = execFileSync(
    ffmpeg,
    [
      ['-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', ...encode, '-g', '10', '-keyint_min', '10'],
      ['-f', 'mp4', '-movflags', '+frag_every_frame+empty_moov+default_base_moof', 'pipe:1'],
    ].flat(),
  )
  let init: InitSegment | undefined
  const fragments: Fragment[] = []
  createFmp4Parser({ init: (segment) => (init = segment), fragment: (each) => fragments.push(each) }).write(bytes)
  return { init: init!, fragments }
}

const plain = (frames = '0'): Stream => streamOf('-c:v', 'libx264', '-bf', frames, '-sc_threshold', '0')

interface Seen {
  readonly frames: { readonly at: number; readonly gray: number }[]
  readonly problems: (string | undefined)[]
  readonly keys: KeyFrameDecoder
  /** Milliseconds that have passed. */
  elapsed: number
}

function watching(program: string): Seen {
  const seen: Seen = { frames: [], problems: [], elapsed: 0 } as unknown as Seen
  const keys = createGrayFrameDecoder({
    ffmpeg: program,
    size,
    onFrame: ({ at, pixels }: GrayFrame) => seen.frames.push({ at: at - noon, gray: pixels[72]! }),
    onTrouble: (problem: StreamProblem | undefined) => seen.problems.push(problem?.code),
    clock: { now: () => noon + seen.elapsed, elapsed: () => seen.elapsed },
    random: { bytes: (length) => Buffer.alloc(length) },
    backoff: { first: 10, max: 10 },
  })
  onTestFinished(() => keys.stop())
  return Object.assign(seen, { keys })
}

/** As they would come: each at its time, and none before the decoder is done with the key frame before. */
async function play(seen: Seen, { init, fragments }: Stream, timeout = 10_000): Promise<void> {
  seen.keys.begin(init)
  let requested = 0
  for (const fragment of fragments) {
    seen.elapsed = fragment.time * 1000
    const before = seen.frames.length
    if (fragment.key && requested++ > 0) {
      await vi.waitFor(() => expect(seen.frames.length).toBeGreaterThanOrEqual(requested - 1), { timeout: timeout })
    }
    seen.keys.fragment(fragment, noon)
    if (!fragment.key && seen.frames.length === before) await wait(5, 'lets the decoder read')
  }
  await vi.waitFor(() => expect(seen.frames.length).toBe(requested), { timeout: timeout })
}

/** The same with noise in place of its frame. */
function broken(fragment: Fragment): Fragment {
  const data = Buffer.from(fragment.data)
  randomBytes(fragment.first.end - fragment.first.start).copy(data, fragment.first.start)
  return { ...fragment, data }
}

describe.each(programs)('with %s', (program) => {
  test.each([
    ['without B-frames', plain()],
    ['with B-frames, which a decoder keeps to itself for a while', plain('2')],
    ['of H.265', streamOf('-c:v', 'libx265', '-x265-params', 'log-level=none:scenecut=0', '-tag:v', 'hvc1')],
  ])('each key frame of a stream %s is decoded, at its own time', async (_which, stream) => {
    const seen = watching(program)
    await play(seen, stream)
    expect(seen.frames.map(({ at }) => Math.abs(Math.round(at / 1000)))).toEqual([0, 1, 2, 3, 4])
    // Limited range to full: (40 + 20 × second - 16) × 255 / 219.
    for (const [second, { gray }] of seen.frames.entries()) {
      expect(Math.abs(gray - ((24 + 20 * second) * 255) / 219)).toBeLessThan(6)
    }
    expect(seen.problems).toEqual([])
  })

  test(
    'garbage is reported as a reason, and valid frames are decoded again after it',
    { timeout: 120_000 },
    async () => {
      const seen = watching(program)
      const { init, fragments } = plain()
      seen.keys.begin(init)
      for (let round = 0; round < 4; round++) {
        seen.elapsed += 10_000
        seen.keys.fragment({ ...broken(fragments[0]!), time: round * 10 }, noon)
        await wait(50, 'lets the decoder read')
      }
      // Not every decoder complains of it, and none at once.
      expect(seen.problems[0]).toMatch(/^unreadable-video$|^decoder-slow$/)
      expect(seen.frames).toEqual([])
      while (seen.frames.length === 0) {
        seen.elapsed += 10_000
        seen.keys.fragment({ ...fragments[0]!, time: seen.elapsed / 1000 }, noon)
        for (let tries = 0; tries < 10 && seen.frames.length === 0; tries++)
          await wait(100, 'asks again while the decoder restarts')
      }
      expect(seen.problems.at(-1)).toBeUndefined()
    },
  )

  test('of a stream with only key frames, about two per second are decoded', async () => {
    const seen = watching(program)
    const stream = streamOf('-c:v', 'libx264', '-bf', '0', '-x264-params', 'keyint=1')
    expect(stream.fragments.every(({ key }) => key)).toBe(true)
    seen.keys.begin(stream.init)
    const looked: number[] = []
    for (const fragment of stream.fragments) {
      seen.elapsed = fragment.time * 1000
      seen.keys.fragment(fragment, noon)
      if (fragment.time - (looked.at(-1) ?? -1) < minInterval) continue
      looked.push(fragment.time)
      await vi.waitFor(() => expect(seen.frames).toHaveLength(looked.length), 20_000)
    }
    await wait(100, 'a frame too many would have come by then')
    expect(seen.frames).toHaveLength(looked.length)
    expect(looked.length).toBeLessThan(14)
  })
})

test('a decoder that ends is reported, and started again after a while', async () => {
  const seen = watching('/bin/false')
  const { init, fragments } = plain()
  seen.keys.begin(init)
  seen.keys.fragment(fragments[0]!, noon)
  await vi.waitFor(() => expect(seen.problems).toEqual(['unreadable-video']), 20_000)
  seen.keys.fragment({ ...fragments[0]!, time: 1 }, noon)
  await wait(100, 'a second report would have come by then')
  expect(seen.problems).toHaveLength(1)
  seen.elapsed = 1000
  seen.keys.fragment({ ...fragments[0]!, time: 2 }, noon)
  await vi.waitFor(() => expect(seen.problems).toHaveLength(2), 20_000)
})

test('the timeout of a decoder that decodes nothing doubles each time', async () => {
  const folder = temporaryFolder()
  const idle = join(folder, 'idle')
  writeFileSync(idle, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 })
  const seen = watching(idle)
  const { init, fragments } = plain()
  seen.keys.begin(init)
  const givenUp: number[] = []
  for (let second = 0; second < 220; second++) {
    seen.elapsed = second * 1000
    const before = seen.problems.length
    seen.keys.fragment({ ...fragments[0]!, time: second }, noon)
    if (seen.problems.length > before) givenUp.push(second)
  }
  expect(givenUp).toEqual([8, 25, 58, 123, 188])
  expect(new Set(seen.problems)).toEqual(new Set(['decoder-slow']))
})
