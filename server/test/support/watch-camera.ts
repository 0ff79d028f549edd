import { expect, vi } from 'vitest'
import type { Cameras } from '../../src/cameras/cameras.ts'
import type { Viewer } from '../../src/media/live/viewers.ts'
import { createFmp4Parser } from '../../src/media/mp4/fmp4-parser.ts'
import { ffmpeg } from './cameras-alone.ts'
import { onThisTestFinished } from './cleanups.ts'
import { startRtspCamera, type RtspCamera, type RtspCameraOptions } from './rtsp-camera.ts'
import { scopedCamera } from './scoped.ts'

/** A fake camera until the end of the test. */
export async function camera(options: RtspCameraOptions = {}): Promise<RtspCamera> {
  const made = await startRtspCamera({ ffmpeg, ...options })
  onThisTestFinished(() => made.stop())
  return made
}

/** What a viewer of a camera got. */
export interface Watching {
  readonly texts: string[]
  readonly binaries: Buffer[]
  waiting: number
}

export function watch(cameras: Cameras, name: string): Watching {
  const watching: Watching = { texts: [], binaries: [], waiting: 0 }
  const viewer: Viewer = {
    send: (data) =>
      void (typeof data === 'string' ? watching.texts.push(data) : watching.binaries.push(Buffer.from(data))),
    get waiting() {
      return watching.waiting
    },
    onClose: () => {},
    close: () => {},
  }
  cameras.watch(scopedCamera(name), viewer, true)
  return watching
}

export interface Played {
  /** Frame size. */
  readonly keys: boolean[]
  readonly times: number[]
  readonly audio: { readonly time: number; readonly duration: number }[]
}

/** Whether every fragment parses, and whether the first begins with a key frame. */
export function play(binaries: readonly Buffer[]): Played {
  const played: Played = { keys: [], times: [], audio: [] }
  const parser = createFmp4Parser({
    init: () => {},
    fragment: ({ video, key, time, duration }) => {
      if (!video) return void played.audio.push({ time, duration })
      played.keys.push(key)
      played.times.push(time)
    },
  })
  for (const binary of binaries) parser.write(binary)
  return played
}

/**
 * What a viewer has received, once it is more than this many seconds of video, with audio up to the same time: the two
 * arrive in pipes of their own, one of which a busy machine reads later.
 */
export const played = ({ binaries }: { readonly binaries: readonly Buffer[] }, seconds: number): Promise<Played> =>
  vi.waitFor(
    () => {
      const received = play(binaries)
      const { times, audio } = received
      expect(times.at(-1)! - times[0]!).toBeGreaterThan(seconds)
      expect(Math.abs(endOf(audio) - times.at(-1)!)).toBeLessThan(0.5)
      return received
    },
    { timeout: 60_000, interval: 50 },
  )

const endOf = (audio: Played['audio']): number => {
  const last = audio.at(-1)
  return last ? last.time + last.duration : -Infinity
}

/** Positions where the audio has a gap longer than one audio frame, or goes back in time. */
export const gapsIn = (audio: Played['audio']): number[] =>
  audio
    .slice(1)
    .map(({ time }, i) => time - audio[i]!.time - audio[i]!.duration)
    .filter((gap) => Math.abs(gap) > 0.065)
