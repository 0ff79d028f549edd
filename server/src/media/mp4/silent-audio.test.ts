import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findFfmpeg } from '../ffmpeg/find-ffmpeg.ts'
import { createFmp4Parser } from './fmp4-parser.ts'
import type { Fragment } from './fragment.ts'
import type { InitSegment } from './init-segment.ts'
import { silence } from './silent-audio.ts'
import { audioTrackOf } from '../ffmpeg/audio.ts'

const programs = [...new Set([findFfmpeg(), findFfmpeg({ PATH: '' })])].filter((file) => file !== undefined)
const flags = '+frag_every_frame+empty_moov+default_base_moof'

function initOf(program: string, channels: number): InitSegment {
  const args = [
    ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'sine=r=16000', '-t', '1', '-ac', String(channels)],
    ['-c:a', 'aac', '-f', 'mp4', '-movflags', flags, 'pipe:1'],
  ].flat()
  let init: InitSegment | undefined
  const parser = createFmp4Parser({ init: (found) => void (init = found), fragment: () => {} })
  parser.write(spawnSync(program, args).stdout)
  if (!init) throw new Error('no audio was made')
  return init
}

test.each(programs.flatMap((program) => [1, 2].map((channels) => [program, channels] as const)))(
  '%s decodes it, of %i channels, to as much silence as was asked for',
  (program, channels) => {
    const init = initOf(program, channels)
    const track = audioTrackOf(init)!
    expect(track).toMatchObject({ codec: 'mp4a.40.2', channels })
    const parts = [silence(track, 0, 20), silence(track, 20 * 1024, 5)]
    const input = Buffer.concat([init.data, ...parts.map(({ data }) => data)])
    const args = ['-v', 'warning', '-i', 'pipe:0', '-f', 's16le', 'pipe:1']
    const { stdout, stderr } = spawnSync(program, args, { input })
    expect(stderr.toString()).not.toMatch(/error|invalid/i)
    expect(stdout.length / 2 / channels).toBeGreaterThanOrEqual(24 * 1024)
    expect(stdout.every((byte) => byte === 0)).toBe(true)

    const read: Fragment[] = []
    const parser = createFmp4Parser({ init: () => {}, fragment: (fragment) => read.push(fragment) })
    parser.write(input)
    expect(read.map(({ time, duration, samples, key, video }) => ({ time, duration, samples, key, video }))).toEqual(
      parts.map(({ time, duration, samples }) => ({ time, duration, samples, key: false, video: false })),
    )
  },
)
