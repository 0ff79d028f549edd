import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ftyp, mvhd, trak } from '../../../test/support/made-mp4.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { ffmpeg } from '../../../test/support/video-with-audio.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { makeBox } from '../../media/mp4/box.ts'
import { initSegmentIn } from '../../media/mp4/init-segment.ts'
import { shiftTimestamps } from '../../media/mp4/shift-timestamps.ts'
import { ServiceError } from '../../shared/errors.ts'
import { systemClock } from '../../shared/time/clock.ts'
import type { MuxedFile } from './muxing-messages.ts'
import { startMuxingThread, type StartMuxer } from './muxing-thread.ts'
import { trimVideo, type CutDeps, type SourceClip } from './trim-video.ts'

let folder: string
let draft: string
beforeEach(() => {
  folder = temporaryFolder()
  draft = join(folder, 'draft')
  writeFileSync(draft, '')
})

const made = (clip: SourceClip, more: Partial<CutDeps> = {}): Promise<number> =>
  trimVideo({
    startMuxer: startMuxingThread,
    clip,
    file: draft,
    filmed: 0,
    clock: systemClock,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...more,
  })

/** A clip whose files are these. */
const clipOf = (head: Buffer, files: readonly MuxedFile[], lead = 0, length = 4): SourceClip => ({
  size: files.reduce((sum, { from, to }) => sum + to - from, head.length),
  head,
  lead,
  length,
  async *files() {
    for (const file of files) yield await Promise.resolve(file)
  },
})

/** Muxes nothing. */
const idle: StartMuxer = () => ({
  add: () => new Promise<never>(() => {}),
  finish: () => new Promise<never>(() => {}),
  stop: () => Promise.resolve(),
})

const noClip = clipOf(Buffer.alloc(0), [{ data: Buffer.alloc(1), from: 0, to: 1 }])

test('a muxer that stalls is stopped, and the export fails with that reason', async () => {
  const clock = createTestClock()
  const failed = made(noClip, { clock, startMuxer: idle })
  let settled = false
  void failed.catch(() => (settled = true))
  await clock.advance(119_000)
  expect(settled).toBe(false)
  await clock.advance(1000)
  await expect(failed).rejects.toMatchObject({ problem: { code: 'took-too-long' } })
})

test('as long as something is written, it has not stalled', async () => {
  const clock = createTestClock()
  const ending = new AbortController()
  const alive: (() => void)[] = []
  const startMuxer: StartMuxer = (options, onAlive) => {
    alive.push(onAlive)
    return idle(options, onAlive)
  }
  const failed = made(noClip, { clock, startMuxer, signal: ending.signal })
  let settled = false
  void failed.catch(() => (settled = true))
  for (let minute = 0; minute < 5; minute++) {
    await clock.advance(60_000)
    alive[0]?.()
  }
  expect(settled).toBe(false)
  ending.abort(new Error('canceled'))
  await expect(failed).rejects.toThrow('canceled')
})

const threads = (): string[] => readdirSync('/proc/self/task')

test.skipIf(process.platform !== 'linux')('the thread that muxes has a lower priority, and no other', async () => {
  const [before, usual] = [threads(), getPriority()]
  const head = Buffer.concat([ftyp, makeBox('moov', mvhd, trak({ id: 1, handler: 'vide' }))])
  const muxer = startMuxingThread({ file: draft, head, lead: 0, length: 1, filmed: 0 }, () => {})
  onTestFinished(() => muxer.stop())
  await muxer.add({ data: Buffer.alloc(0), from: 0, to: 0 })
  const lower = threads().filter((thread) => getPriority(Number(thread)) > usual)
  expect(lower).toHaveLength(1)
  expect(before).not.toContain(lower[0])
})

test('an export fails with its own reason if the recording is deleted while being read', async () => {
  const gone = new ServiceError('not-found', { reason: 'recording-deleted' })
  const files = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(gone) }) })
  await expect(made({ ...noClip, files })).rejects.toBe(gone)
})

/** Runs ffmpeg. */
const run = (...args: readonly string[]): Buffer =>
  execFileSync(ffmpeg ?? 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { maxBuffer: 64 << 20 })

/** Four seconds as the recorder writes them: a fragment for each frame. */
function recorded(...args: readonly string[]): Buffer {
  const file = join(folder, 'recorded.mp4')
  const scene = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=4']
  const flags = ['-movflags', '+frag_every_frame+empty_moov+default_base_moof', '-pix_fmt', 'yuv420p']
  run(...scene, ...args, '-g', '10', ...flags, '-t', '4', file)
  return readFileSync(file)
}

/** @param places seconds at which each file begins */
function clipFrom(video: Buffer, places: readonly number[], lead: number, length: number): SourceClip {
  const head = initSegmentIn(video).data
  const files = places.map((at) => {
    const data = Buffer.from(video)
    shiftTimestamps(data, at)
    return { data, from: head.length, to: data.length }
  })
  return clipOf(Buffer.from(video.subarray(0, head.length)), files, lead, length)
}

/** What ffmpeg makes of the same clip. */
async function peer({ head, lead, length, files }: SourceClip): Promise<string> {
  const parts = [head]
  for await (const { data, from, to } of files(new AbortController().signal)) {
    parts.push(Buffer.from(data.subarray(from, to)))
  }
  const [source, file] = [join(folder, 'source.mp4'), join(folder, 'peer.mp4')]
  writeFileSync(source, Buffer.concat(parts))
  const input = ['-itsoffset', (-lead).toFixed(6), '-i', source, '-map', '0']
  run(...input, '-c', 'copy', '-t', length.toFixed(6), '-avoid_negative_ts', 'disabled', file)
  return file
}

/** The time, in seconds, and the content of each decoded frame. */
function framesOf(file: string): (string | undefined)[][] {
  const hashes = run('-i', file, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-').toString()
  const base = Number(/#tb 0: 1\/(\d+)/.exec(hashes)?.[1])
  const frames = hashes.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return frames.map((line) => {
    const columns = line.split(',').map((column) => column.trim())
    return [(Number(columns[2]) / base).toFixed(3), columns[5]]
  })
}

/** Decoded, two bytes for each sample. */
const audioOf = (file: string): Buffer => run('-i', file, '-map', '0:a', '-f', 's16le', '-')

describe.skipIf(!ffmpeg)('recorded video', () => {
  const fast = ['-preset', 'ultrafast']
  const plain = ['-c:v', 'libx264', '-bf', '0', ...fast]
  // Without noise substitution, whose noise depends on all frames decoded before.
  const audio = ['-f', 'lavfi', '-i', 'anoisesrc=r=44100:seed=1', '-c:a', 'aac', '-aac_pns', '0', ...plain]
  const h265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:bframes=0', ...fast]
  const inOtherOrder = ['-c:v', 'libx264', '-bf', '2', ...fast]

  const cases: readonly [string, readonly string[], readonly number[], number, number][] = [
    ['from a key frame', plain, [0], 0, 4],
    ['from a key frame, as a sum of fractions says', plain, [0], 9.094947017729283e-16, 4],
    ['inside a group of pictures', plain, [0], 0.5, 2],
    ['inside a group of pictures, as sums of fractions say', plain, [0], 0.30000000000000004, 3.0000000000000004],
    ['between two frames', plain, [0], 0.33, 2.15],
    ['of a single second', plain, [0], 0.4, 1],
    ['of H.265', h265, [0], 0.5, 3],
    ['with frames that are decoded in another order', inOtherOrder, [0], 0.7, 2],
    ['up to a frame that is decoded after a later one', inOtherOrder, [0], 0.5, 2],
    ['up to the other of two such frames', inOtherOrder, [0], 0.5, 2.1],
    ['with audio', audio, [0], 0.5, 3],
    ['with audio from a key frame', audio, [0], 0, 4],
    ['across files with audio', audio, [0, 4, 8], 0.25, 11],
    ['across a restart', audio, [0, 6.4], 0.5, 9],
    ['across files that overlap', audio, [0, 3.98], 0.5, 7],
  ]
  test.each(cases)('%s plays as what ffmpeg makes of it', async (_what, args, places, lead, length) => {
    const video = recorded(...args)
    const theirs = await peer(clipFrom(video, places, lead, length))
    const seconds = await made(clipFrom(video, places, lead, length))
    // With B-frames, ffmpeg also shows frames after the end that others needed.
    const [ours, others] = [framesOf(draft), framesOf(theirs).filter(([time]) => Number(time) < length)]
    // Versions of ffmpeg differ in whether a frame just before the end is still part of it.
    expect(Math.abs(ours.length - others.length)).toBeLessThanOrEqual(1)
    const shared = Math.min(ours.length, others.length)
    expect(ours.slice(0, shared)).toEqual(others.slice(0, shared))
    expect(seconds).toBeCloseTo(length, 0)
    expect(seconds).toBeLessThan(length + 0.001)
    if (args !== audio) return
    const [own, other] = [audioOf(draft), audioOf(theirs)]
    // Of the first frame of audio, only what is presented.
    expect(Math.abs(own.length - other.length)).toBeLessThan(4096)
    expect(other.includes(own.subarray(4096, -4096))).toBe(true)
  })

  test.each([
    [
      'whose last bytes are missing',
      'a box that leaves its parent',
      (video: Buffer) => Buffer.from(video.subarray(0, -20)),
    ],
    ['without video', 'no video', () => Buffer.alloc(0)],
  ])('a file %s is an error', async (_what, message, broken) => {
    const video = recorded(...plain)
    const head = initSegmentIn(video).data
    const data = broken(video)
    await expect(
      made(clipOf(head, [{ data, from: Math.min(head.length, data.length), to: data.length }])),
    ).rejects.toThrow(message)
  })

  test('an error of the disk keeps its code', async () => {
    const failed = made(clipFrom(recorded(...plain), [0], 0, 4), { file: join(folder, 'missing') })
    await expect(failed).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
