import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import type { DemoScene } from '../../shared/camera-source.ts'
import { startFfmpeg } from '../ffmpeg/ffmpeg-child.ts'
import { StreamError } from '../ffmpeg/output.ts'
import { demoFailed, streamProblem, type StreamProblem } from '../ffmpeg/reason.ts'
import { frameRate } from './drawing.ts'
import { door } from './door.ts'
import { office } from './office.ts'
import { graphOf, shownOf, soundFrames, soundOf, type Scene } from './scene.ts'
import { yard } from './yard.ts'

export interface Demo {
  /** The file of a scene, created if missing. Rejects with a {@link StreamError} that has a reason for the user. */
  fileOf(scene: DemoScene): Promise<string>
}

export interface DemoDeps {
  readonly ffmpeg: string
  readonly folder: string
}

const scenes: Readonly<Record<DemoScene, Scene>> = { yard, door, office }

/** Incremented when a scene is drawn differently, so that old files are replaced. */
const edition = 3

/** Creates the demo scenes as files, one at a time at low priority, so that looping them costs next to nothing. */
export function createDemo({ ffmpeg, folder }: DemoDeps): Demo {
  const making = new Map<DemoScene, Promise<string>>()
  const serialized = pLimit(1)

  const make = async (name: DemoScene, file: string): Promise<void> => {
    const scene = scenes[name]
    await mkdir(folder, { recursive: true })
    const part = (ending: string): string => join(folder, `.${name}-${process.pid}.${ending}`)
    const parts = { sound: part('aac'), drawn: part('mp4'), story: part('txt'), whole: part('whole.mp4') }
    try {
      // A scene without audio is better than no scene.
      const sound = (await encodeSound(ffmpeg, scene, parts.sound)) === undefined ? parts.sound : undefined
      let failure = await encode(ffmpeg, scene, sound, parts.drawn, 'libx264')
      if (failure && /unknown encoder/i.test(failure)) {
        failure = await encode(ffmpeg, scene, sound, parts.drawn, 'libopenh264')
      }
      failure ??= await report(ffmpeg, scene, parts)
      if (failure) throw new StreamError(failureOf(failure))
      await rename(parts.whole, file)
    } finally {
      await Promise.all(Object.values(parts).map((each) => rm(each, { force: true })))
    }
  }

  return {
    fileOf(scene) {
      const file = join(folder, `${scene}-${edition}.mp4`)
      const before = making.get(scene)
      if (before) return before
      const made = (async () => {
        if (!(await isThere(file))) await serialized(() => make(scene, file))
        await removeOlder(folder, scene)
        return file
      })().finally(() => making.delete(scene))
      making.set(scene, made)
      return made
    },
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Deletes older editions; a file that cannot be deleted does no harm. */
async function removeOlder(folder: string, scene: DemoScene): Promise<void> {
  const older = (await readdir(folder).catch(() => [])).filter((file) => {
    const [, name, number] = /^([a-z]+)-([1-9]\d*)\.mp4$/.exec(file) ?? []
    return name === scene && Number(number) < edition
  })
  await Promise.all(older.map((file) => rm(join(folder, file)).catch(() => {})))
}

const failureOf = (line: string): StreamProblem =>
  /unknown encoder/i.test(line) ? streamProblem('demo-without-encoder') : demoFailed(line)

const quality = {
  libx264: ['-preset', 'superfast', '-profile:v', 'main', '-crf', '27', '-bf', '0', '-sc_threshold', '0'],
  libopenh264: ['-b:v', '1M'],
} as const

/** @returns why it failed; undefined on success. */
async function run(program: string, args: readonly string[]): Promise<string | undefined> {
  const { code, signal, lines } = await startFfmpeg({ program, nice: true, args }).ended
  return code === 0 ? undefined : (lines.at(-1) ?? `ffmpeg ended with ${signal ?? code}`)
}

/** Encodes the audio separately, as bare frames: in MP4 it would begin before 0, and the loop would have a seam. */
const encodeSound = (program: string, scene: Scene, file: string): Promise<string | undefined> =>
  run(
    program,
    [
      ['-y', '-f', 'lavfi', '-i', soundOf(scene), '-c:a', 'aac', '-b:a', '64k', '-ac', '1'],
      ['-frames:a', String(soundFrames(scene)), '-f', 'adts', `file:${file}`],
    ].flat(),
  )

async function encode(
  program: string,
  scene: Scene,
  sound: string | undefined,
  file: string,
  encoder: keyof typeof quality,
): Promise<string | undefined> {
  const rate = String(frameRate)
  return run(
    program,
    [
      ['-y', ...(sound === undefined ? [] : ['-f', 'aac', '-i', `file:${sound}`])],
      ['-filter_complex', graphOf(scene), '-map', '[v]', '-r', rate],
      ['-c:v', encoder, ...quality[encoder], '-g', rate, '-keyint_min', rate, '-pix_fmt', 'yuv420p'],
      sound === undefined ? [] : ['-map', '0:a', '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
      ['-f', 'mp4', `file:${file}`],
    ].flat(),
  )
}

/** Concatenates the pieces. Each begins with a key frame, so nothing is encoded again. */
async function report(
  program: string,
  scene: Scene,
  { drawn, story, whole }: { readonly drawn: string; readonly story: string; readonly whole: string },
): Promise<string | undefined> {
  const pieces = shownOf(scene).map(({ from, to }) => `file ${basename(drawn)}\ninpoint ${from}\noutpoint ${to}`)
  await writeFile(story, `ffconcat version 1.0\n${pieces.join('\n')}\n`)
  return run(
    program,
    [
      ['-y', '-f', 'concat', '-safe', '0', '-protocol_whitelist', 'file', '-i', `file:${story}`],
      ['-map', '0', '-c', 'copy', '-movflags', '+faststart', '-f', 'mp4', `file:${whole}`],
    ].flat(),
  )
}
