import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoScene } from '../shared/camera-source.ts'
import { demoGraph, demoSound, frameRate, seconds, soundFrames } from './demo-scenes.ts'
import { startFfmpeg } from './ffmpeg-child.ts'
import { Refusal } from './output.ts'
import { demoFailed, streamProblem, type StreamProblem } from './reason.ts'

export interface Demo {
  /** The scene's file, made where it is not there yet. Rejects with a {@link Refusal} where there is a reason for people. */
  fileOf(scene: DemoScene): Promise<string>
}

export interface DemoParts {
  readonly ffmpeg: string
  readonly folder: string
}

/** Raised when a scene is drawn differently, so that old files are not taken for it. */
const edition = 2

/** Makes the demo scenes, one at a time and behind everything else, so that looping them costs next to nothing. */
export function createDemo({ ffmpeg, folder }: DemoParts): Demo {
  const making = new Map<DemoScene, Promise<string>>()
  let last: Promise<unknown> = Promise.resolve()

  const make = async (scene: DemoScene, file: string): Promise<string> => {
    await mkdir(folder, { recursive: true })
    const part = (name: string): string => join(folder, `.${scene}-${process.pid}.${name}`)
    const parts = { sound: part('aac'), draft: part('mp4') }
    try {
      // A scene without its sound is better than none.
      const sound = (await encodeSound(ffmpeg, scene, parts.sound)) === undefined ? parts.sound : undefined
      let failure = await encode(ffmpeg, scene, sound, parts.draft, 'libx264')
      if (failure && /unknown encoder/i.test(failure)) {
        failure = await encode(ffmpeg, scene, sound, parts.draft, 'libopenh264')
      }
      if (failure) throw new Refusal(failureOf(failure))
      await rename(parts.draft, file)
      return file
    } finally {
      await Promise.all(Object.values(parts).map((each) => rm(each, { force: true })))
    }
  }

  return {
    fileOf(scene) {
      const file = join(folder, `${scene}-${edition}.mp4`)
      const before = making.get(scene)
      if (before) return before
      const turn = last
      const made = (async () => {
        if (await isThere(file)) return file
        await turn.catch(() => {})
        return make(scene, file)
      })().finally(() => making.delete(scene))
      making.set(scene, made)
      last = made.catch(() => {})
      return made
    },
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const failureOf = (line: string): StreamProblem =>
  /unknown encoder/i.test(line) ? streamProblem('demo-without-encoder') : demoFailed(line)

const quality = {
  libx264: ['-preset', 'veryfast', '-profile:v', 'main', '-crf', '27', '-bf', '0', '-sc_threshold', '0'],
  libopenh264: ['-b:v', '1M'],
} as const

/** @returns why it failed; undefined where it did not. */
async function run(program: string, args: readonly string[]): Promise<string | undefined> {
  const { code, signal, lines } = await startFfmpeg({ program, nice: true, args }).ended
  return code === 0 ? undefined : (lines.at(-1) ?? `ffmpeg ended with ${signal ?? code}`)
}

/** By itself, and as bare frames: in MP4 it would begin before 0, and the loop would have a seam. */
const encodeSound = (program: string, scene: DemoScene, file: string): Promise<string | undefined> =>
  run(
    program,
    [
      ['-y', '-f', 'lavfi', '-i', demoSound(scene), '-c:a', 'aac', '-b:a', '64k', '-ac', '1'],
      ['-frames:a', String(soundFrames), '-f', 'adts', `file:${file}`],
    ].flat(),
  )

async function encode(
  program: string,
  scene: DemoScene,
  sound: string | undefined,
  file: string,
  encoder: keyof typeof quality,
): Promise<string | undefined> {
  const rate = String(frameRate)
  return run(
    program,
    [
      ['-y', ...(sound === undefined ? [] : ['-f', 'aac', '-i', `file:${sound}`])],
      ['-filter_complex', demoGraph(scene), '-map', '[v]', '-r', rate, '-t', String(seconds)],
      ['-c:v', encoder, ...quality[encoder], '-g', rate, '-keyint_min', rate, '-pix_fmt', 'yuv420p'],
      sound === undefined ? [] : ['-map', '0:a', '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
      ['-movflags', '+faststart', '-f', 'mp4', `file:${file}`],
    ].flat(),
  )
}
