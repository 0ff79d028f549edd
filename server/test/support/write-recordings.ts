import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '../../src/media/ffmpeg/find-ffmpeg.ts'
import { segmentFile } from '../../src/recordings/segments/segment-name.ts'
import { writeEncoded } from './write-encoded.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

const run = promisify(execFile)
const ffmpeg = findFfmpeg() ?? 'ffmpeg'

const framesASecond = 25
/** Seconds of a segment. */
const segmentSeconds = 10
/** Seconds between key frames: a cut in between needs earlier frames. */
const keySeconds = 4

export interface RecordedOptions {
  readonly camera: string
  /** Unix milliseconds, whole seconds. */
  readonly start: number
  readonly segments: number
  readonly size?: string
  readonly codec?: 'libx264' | 'libx265'
  readonly audio?: boolean
  /** Numbers of the missing segments. */
  readonly without?: readonly number[]
  /** Time ranges without frames, in seconds of each segment. */
  readonly stalled?: readonly [number, number]
  /** Bits per second; by default as few as possible. */
  readonly bitrate?: string
}

/**
 * Writes recordings as the recorder does, with numbered frames: the brightness of the left half encodes the second since
 * `start`, that of the right half the frame within it. The service indexes them at its start.
 */
export async function writeRecordings(mediaDir: string, options: RecordedOptions): Promise<void> {
  const {
    camera,
    start,
    segments,
    size = '160x96',
    codec = 'libx264',
    audio = false,
    without = [],
    stalled,
    bitrate,
  } = options
  const requested = Array.from({ length: segments }, (_, number) => number).filter(
    (number) => !without.includes(number),
  )
  await Promise.all(
    requested.map(async (number) => {
      const file = join(mediaDir, 'recordings', segmentFile(cameraKey(camera), start + number * segmentSeconds * 1000))
      const frame = `(N+${number * segmentSeconds * framesASecond})`
      const noise = bitrate === undefined ? '' : ',noise=alls=40:allf=t'
      const large = `,scale=${size.replace('x', ':')}:flags=neighbor${noise}`
      const held = stalled ? `,select='not(between(t,${stalled.join()}))'` : ''
      const video = `nullsrc=s=160x96:r=${framesASecond},geq=lum='if(lt(X,W/2),20+floor(${frame}/25)*3,20+mod(${frame},25)*8)':cb=128:cr=128${large}${held}`
      const tone = audio ? ['-f', 'lavfi', '-i', `sine=f=${300 + number * 50}:r=48000`] : []
      const quiet = codec === 'libx265' ? ['-x265-params', 'log-level=none', '-tag:v', 'hvc1'] : ['-sc_threshold', '0']
      await writeEncoded(
        file,
        [
          ['-v', 'error', '-f', 'lavfi', '-i', video, ...tone, '-t', String(segmentSeconds)],
          ['-c:v', codec, '-preset', 'ultrafast', '-g', String(keySeconds * framesASecond), '-pix_fmt', 'yuv420p'],
          stalled ? ['-fps_mode', 'passthrough'] : [],
          [...quiet, ...(bitrate === undefined ? [] : ['-b:v', bitrate]), '-c:a', 'aac', '-bf', '0'],
          ['-f', 'mp4', '-movflags', 'empty_moov+default_base_moof+frag_every_frame+skip_trailer'],
        ].flat(),
      )
    }),
  )
}

/** The first and the last numbered frame in a file, in seconds since `start`, and the number of frames. */
export async function shownBy(file: string): Promise<{ first: number; last: number; frames: number }> {
  // Two by two pixels: each is the mean of a quarter of the frame.
  const small = ['-vf', 'scale=2:2:flags=area', '-pix_fmt', 'yuv420p', '-fps_mode', 'passthrough', '-f', 'rawvideo']
  const args = ['-v', 'error', '-i', file, '-map', '0:v', ...small, '-']
  const { stdout } = await run(ffmpeg, args, { encoding: 'buffer', maxBuffer: 64 << 20 })
  /** Bytes of a frame: four of brightness, two of color. */
  const size = 6
  const frames = stdout.length / size
  const at = (frame: number): number => {
    const [left = 0, right = 0] = stdout.subarray(frame * size)
    return Math.round((left - 20) / 3) + Math.round((right - 20) / 8) / framesASecond
  }
  return { first: at(0), last: at(frames - 1), frames }
}
