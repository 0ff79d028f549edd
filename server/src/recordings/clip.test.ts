import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { audioLeft, codecs, ffmpeg, makeVideo, packetsIn } from '../../test/support/video-with-audio.ts'
import { initSegmentIn } from '../media/mp4/init-segment.ts'
import { shiftTimestamps } from '../media/mp4/shift-timestamps.ts'
import { createClip } from './clip.ts'
import type { PlayedPart } from './one-history.ts'
import type { Segment } from './index/recording-store.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const segment = (id: number, start: number, run: number): Segment => {
  const stored = { file: `${id}`, volume: 'own', object: null, epoch: 0 }
  const rest = { camera: cameraKey('yard'), bytes: 3, initBytes: 1, motion: 0, ...stored }
  return { id, start, end: start + 10_000, streamId: run, ...rest }
}

test('after the clock was set back, a clip contains one run to its end, then the other', async () => {
  const byStart = [
    segment(1, 0, 1),
    segment(2, 4000, 2),
    segment(3, 10_000, 1),
    segment(4, 14_000, 2),
    segment(5, 24_000, 2),
    segment(6, 34_000, 2),
  ]
  const read: [number, number][] = []
  const bytes: Pick<SegmentBytes, 'head' | 'of' | 'at'> = {
    head: () => Promise.resolve(Buffer.from('h')),
    // The last segment is parsed, and has no playable video.
    of: () => Promise.resolve(Buffer.alloc(0)),
    at({ id }, seconds) {
      read.push([id, seconds])
      return Promise.resolve(Buffer.from(`h${id}.`))
    },
  }
  const clip = await createClip(bytes, byStart, { start: 0, end: 50_000, audio: true })
  expect(String(Buffer.concat(await clip.read(0, clip.size).toArray()))).toBe('h1.3.2.4.5.')
  expect(read).toEqual([1, 3, 2, 4, 5].map((id, at) => [id, at * 10]))
})

test('a client that leaves a clip ends the read in progress', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const bytes: Pick<SegmentBytes, 'head' | 'of' | 'at'> = {
    head: () => Promise.resolve(Buffer.from('h')),
    of: () => Promise.resolve(Buffer.alloc(0)),
    at: (_segment, _seconds, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
        if (signal) begun.resolve(signal)
      }),
  }
  const clip = await createClip(bytes, [segment(1, 0, 1), segment(2, 10_000, 1)], {
    start: 0,
    end: 30_000,
    audio: true,
  })
  const stream = clip.read(0, clip.size).resume()
  const signal = await begun.promise
  const closed = once(stream, 'close')
  stream.destroy()
  expect(signal.aborted).toBe(true)
  await closed
})

/**
 * A clip of files of a second each, each from a run of its own.
 *
 * @param range Unix milliseconds; the first file begins at 0
 * @param length milliseconds after which the next file replaces one
 */
async function clipOf(
  files: readonly Buffer[],
  audio: boolean,
  range = { start: 0, end: files.length * 1000 },
  length = 1000,
): Promise<Buffer> {
  const segments = files.map((file, i): PlayedPart<Segment> => {
    const [start, fileEnd] = [i * length, i * length + 1000]
    const whole = { ...segment(i, start, i), end: fileEnd, bytes: file.length }
    const initBytes = initSegmentIn(file).data.length
    const isReplaced = length < 1000 && i < files.length - 1
    return { ...whole, initBytes, ...(isReplaced && { end: start + length, fileEnd }) }
  })
  const fileOf = ({ id }: Segment): Buffer => Buffer.from(files[id]!)
  const bytes: Pick<SegmentBytes, 'head' | 'of' | 'at'> = {
    head: (of) => Promise.resolve(fileOf(of).subarray(0, of.initBytes)),
    of: (of) => Promise.resolve(fileOf(of)),
    at(of, seconds) {
      const data = fileOf(of)
      shiftTimestamps(data, seconds)
      return Promise.resolve(data)
    },
  }
  const clip = await createClip(bytes, segments, { ...range, audio })
  return Buffer.concat(await clip.read(0, clip.size).toArray())
}
const packets = (file: Buffer): [video: number, audio: number] => {
  const lines = packetsIn(file).filter((line) => !line.startsWith('#'))
  return [lines.filter((line) => line.startsWith('0,')).length, lines.filter((line) => line.startsWith('1,')).length]
}

/** When each frame is shown, in ticks, in the order in which they are decoded. */
const timesIn = (clip: Buffer): number[] =>
  packetsIn(clip, '0:v')
    .filter((line) => line.startsWith('0,'))
    .map((line) => Number(line.split(',')[2]))

const live = ['-output_ts_offset', '1', '-avoid_negative_ts', 'make_non_negative']
const fragments = ['-movflags', 'frag_every_frame+empty_moov+default_base_moof+frag_discont']
const filmed = (...audio: readonly string[]): Buffer =>
  makeVideo('-map', '0', ...codecs.video, ...audio, ...live, ...fragments)

test.skipIf(!ffmpeg).each([
  [0, 300],
  [0, 400],
  [200, 400],
  [600, 800],
])('with B-frames, a clip from %i to %i ms has every frame that is shown before its end', async (start, end) => {
  const clip = await clipOf([filmed()], true, { start, end })
  const shown = timesIn(clip)
  const frame = 1024
  const first = Math.min(...shown)
  const begin = start < 500 ? 0 : 500
  for (let time = 0; time < end - begin; time += 100) expect(shown).toContain(first + (time / 100) * frame)
})

test.skipIf(!ffmpeg).each([300, 400, 700, 800])(
  'with B-frames, no frame of a file that is replaced after %i ms is shown after one of the next',
  async (length) => {
    const file = filmed()
    const shown = timesIn(await clipOf([file, file], true, { start: 0, end: length + 1000 }, length))
    const [replaced, next] = [shown.slice(0, -10), shown.slice(-10)]
    expect(replaced.length).toBeGreaterThan(length / 100 - 3)
    expect(Math.max(...replaced)).toBeLessThan(Math.min(...next))
  },
)

describe.skipIf(!ffmpeg)('a camera whose audio changes', () => {
  let silent: Buffer
  let whole: Buffer
  let other: Buffer
  beforeAll(() => {
    silent = filmed()
    whole = filmed('-map', '1', ...codecs.aac)
    other = filmed('-map', '2', ...codecs.aac)
  })

  test.each([
    ['appears', [false, true], 1],
    ['disappears', [true, false], 1],
    ['is missing for a while', [true, false, true], 2],
  ])('it %s: a clip has all video, and the audio that there is', async (_how, files, expected) => {
    const clip = await clipOf(
      files.map((hasAudio) => (hasAudio ? whole : silent)),
      true,
    )
    expect(packets(clip)).toEqual([10 * files.length, expected * packets(whole)[1]])
  })

  test('a clip of two formats of audio is rejected with that as the reason', async () => {
    await expect(clipOf([whole, silent, other], true)).rejects.toMatchObject({
      reason: 'audio-format-changed',
      values: { at: '1970-01-01T00:00:02.000Z' },
    })
  })

  test('[GRANT-2] without the action audio, its format doesn’t matter, and nothing of it is in the clip', async () => {
    const clip = await clipOf([silent, whole, other], false)
    expect(packets(clip)).toEqual([30, 0])
    expect(audioLeft(whole, clip)).toEqual([])
  })
})
