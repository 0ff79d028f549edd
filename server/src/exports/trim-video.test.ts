import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../test/test-clock.ts'
import { findFfmpeg } from '../media/ffmpeg/ffmpeg-child.ts'
import { systemClock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { trimVideo, type CutDeps, type SourceClip } from './trim-video.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'gatehouse-cut-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** A script in place of ffmpeg. `$file` is its output file. */
function program(script: string): string {
  const path = join(folder, 'ffmpeg')
  writeFileSync(path, `#!/bin/sh\nfor file; do :; done\nfile=\${file#file:}\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** The part of an MP4 that contains its duration. */
function table(seconds: number): string {
  const moov = Buffer.alloc(116)
  moov.writeUInt32BE(116, 0)
  moov.write('moov', 4, 'latin1')
  moov.writeUInt32BE(108, 8)
  moov.write('mvhd', 12, 'latin1')
  moov.writeUInt32BE(1000, 28)
  moov.writeUInt32BE(seconds * 1000, 32)
  const path = join(folder, 'made.mp4')
  writeFileSync(path, moov)
  return path
}

const clip = (more: Partial<SourceClip> = {}): SourceClip => ({
  size: 1 << 20,
  lead: 0,
  length: 30,
  lastPicture: 10,
  tracks: [{ kind: 'video', codec: 'avc1.42C01E' }],
  read: () => Readable.from([Buffer.alloc(1 << 19), Buffer.alloc(1 << 19)], { objectMode: false }),
  ...more,
})

const made = (ffmpeg: string, more: Partial<CutDeps> = {}): Promise<number> =>
  trimVideo({
    ffmpeg,
    clip: clip(),
    file: join(folder, 'draft'),
    filmed: 0,
    clock: systemClock,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...more,
  })

test.each([
  ['up to the last frame', 9.5],
  ['with audio after it', 30],
])('a file is complete if it plays %s', async (_what, seconds) => {
  expect(await made(program(`cat > /dev/null; cp ${table(seconds)} "$file"`))).toBe(seconds)
})

test('a file with missing frames fails, even if ffmpeg reports no error', async () => {
  const failed = made(program(`cat > /dev/null; cp ${table(8)} "$file"`))
  await expect(failed).rejects.toMatchObject({ problem: { code: 'ffmpeg-failed' } })
})

test.each([
  ['No space left on device', 'disk-full'],
  ['Disk quota exceeded', 'disk-full'],
  ['Read-only file system', 'disk-error'],
  ['Invalid data found', 'ffmpeg-failed'],
])('the reason is read from the output of ffmpeg: %s', async (words, code) => {
  const failed = made(program(`cat > /dev/null; echo 'av_interleaved_write_frame(): ${words}' >&2; exit 1`))
  await expect(failed).rejects.toMatchObject({ problem: { code } })
})

test('a stalled ffmpeg is killed, and the export fails with that reason', async () => {
  const clock = createTestClock()
  const failed = made(program('exec sleep 600'), { clock })
  let settled = false
  void failed.catch(() => (settled = true))
  await clock.advance(119_000)
  expect(settled).toBe(false)
  await clock.advance(1000)
  await expect(failed).rejects.toMatchObject({ problem: { code: 'took-too-long' } })
})

test('an export fails with its own reason if the recording is deleted while being read', async () => {
  const gone = new ServiceError('not-found', { reason: 'recording-deleted' })
  const read = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(1 << 10)
        throw gone
      })(),
      { objectMode: false },
    )
  await expect(made(program('exec sleep 600'), { clip: clip({ read }) })).rejects.toBe(gone)
})

describe('recorded video', () => {
  const ffmpeg = findFfmpeg() ?? 'ffmpeg'
  let recorded: Buffer
  beforeAll(() => {
    const dir = mkdtempSync(join(tmpdir(), 'gatehouse-cut-'))
    const file = join(dir, 'recorded.mp4')
    const scene = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=4', '-c:v', 'libx264']
    const pictures = ['-bf', '0', '-g', '10', '-movflags', '+frag_every_frame+empty_moov+default_base_moof']
    execFileSync(ffmpeg, [...scene, ...pictures, file])
    recorded = readFileSync(file)
    rmSync(dir, { recursive: true })
  })

  test.each([
    { lead: 0, length: 4, plays: 4 },
    // A start on a key frame, as a result of floating-point sums.
    { lead: 9.094947017729283e-16, length: 4, plays: 4 },
    { lead: 0.5, length: 2, plays: 2 },
    { lead: 0.30000000000000004, length: 3.0000000000000004, plays: 3 },
  ])('cut $lead s after the first key frame plays $plays s', async ({ lead, length, plays }) => {
    const seconds = await made(ffmpeg, {
      clip: clip({
        size: recorded.length,
        lead,
        length,
        lastPicture: length - 0.1,
        read: (from, to) => Readable.from([recorded.subarray(from, to)], { objectMode: false }),
      }),
      clock: systemClock,
    })
    expect(seconds).toBeCloseTo(plays, 1)
  })
})
