import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from './programs.ts'

/** undefined if it is missing: tests that need it are then skipped. */
export const ffmpeg = program('ffmpeg')

/** Arguments of ffmpeg. H.264 with B-frames, every fifth frame a key frame; AAC whose frames all differ. */
export const codecs = {
  video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-pix_fmt', 'yuv420p', '-g', '5'],
  aac: ['-c:a', 'aac', '-b:a', '64k'],
}

/**
 * Makes an MP4 of a second, ten frames, with noise as audio.
 *
 * @param args codecs, maps and flags. Inputs: 0 is video, 1 and 2 are audio
 */
export function makeVideo(...args: readonly string[]): Buffer {
  const sources = ['testsrc2=s=160x120:r=10', 'anoisesrc=r=44100:seed=1', 'anoisesrc=r=16000:seed=2']
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-t', '1', '-i', source])
  return inFolder((folder) => {
    const file = join(folder, 'made.mp4')
    run([...inputs, ...args, '-fflags', '+bitexact', '-f', 'mp4', file])
    return readFileSync(file)
  })
}

/**
 * What ffmpeg reads in a file without decoding: lines for each stream, then one for each packet, with its times, size
 * and MD5.
 */
export function packetsIn(video: Buffer, map = '0'): string[] {
  const lines = convert(video, '-copyts', '-map', map, '-c', 'copy', '-f', 'framemd5').toString().split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#software'))
}

/**
 * The audio packets of a video whose bytes are in another file. Very short ones don't count.
 *
 * @throws Error if the packets of the video itself are not found in it
 */
export function audioLeft(video: Buffer, other: Buffer): Buffer[] {
  const all = audioSamplesIn(video).filter(({ length }) => length > 16)
  if (all.length < 30 || !all.every((sample) => video.includes(sample))) throw new Error('the audio is not known')
  return all.filter((sample) => other.includes(sample))
}

function audioSamplesIn(video: Buffer): Buffer[] {
  const lines = packetsIn(video, '0:a')
  return lines
    .filter((line) => line.endsWith(': audio'))
    .flatMap((_, track) => {
      // Without their times, which this format would check.
      const bytes = convert(video, '-map', `0:a:${track}`, '-c', 'copy', '-bsf:a', 'setts=ts=N', '-f', 'data')
      let at = 0
      const own = lines.filter((line) => line.startsWith(`${track},`))
      return own.map((line) => bytes.subarray(at, (at += Number(line.split(',')[4]))))
    })
}

const convert = (video: Buffer, ...args: readonly string[]): Buffer =>
  inFolder((folder) => {
    const file = join(folder, 'video.mp4')
    writeFileSync(file, video)
    return run(['-i', file, ...args, 'pipe:1'])
  })

const run = (args: readonly string[]): Buffer => {
  const options: ExecFileSyncOptions = { maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'inherit'] }
  return Buffer.from(execFileSync(ffmpeg ?? 'ffmpeg', ['-v', 'error', '-nostdin', ...args], options))
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audio-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
