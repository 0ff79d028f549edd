/**
 * Draws and encodes the demo scenes: `npm run demo-scenes`, after a change in `scripts/demo-scenes/`. Needs an ffmpeg
 * with libx264.
 *
 * Of each scene, only the different pieces are drawn (24 to 28 seconds), as `<scene>.mp4`. The order in which the
 * cameras show them is a script for ffmpeg's concat demuxer, `<scene>.ffconcat`: four minutes in which mostly nothing
 * moves. Each piece begins with a key frame and has a whole number of audio frames, so that no cut is seen or heard.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { door } from './demo-scenes/door.ts'
import { frameRate } from './demo-scenes/drawing.ts'
import { office } from './demo-scenes/office.ts'
import { graphOf, shownOf, audioFrames, audioOf, type Scene } from './demo-scenes/scene.ts'
import { yard } from './demo-scenes/yard.ts'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import type { DemoScene } from '../server/src/shared/camera/camera-source.ts'

const folder = resolve(import.meta.dirname, '../server/src/media/demo')
const scenes: Readonly<Record<DemoScene, Scene>> = { yard, door, office }

const ffmpeg = findFfmpeg()
if (ffmpeg === undefined) throw new Error('ffmpeg is not installed')
const run = (...args: readonly (readonly string[])[]): void => {
  execFileSync(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args.flat()], { stdio: 'inherit' })
}

for (const [name, scene] of Object.entries(scenes)) {
  const audio = `${folder}/.${name}.aac`
  const rate = String(frameRate)
  try {
    // Audio first, as bare frames: encoded straight into MP4 it would begin before 0, and the loop would have a seam.
    run(
      ['-f', 'lavfi', '-i', audioOf(scene), '-c:a', 'aac', '-b:a', '48k', '-ac', '1', '-flags', '+bitexact'],
      ['-frames:a', String(audioFrames(scene)), '-f', 'adts', audio],
    )
    run(
      ['-f', 'aac', '-i', audio, '-filter_complex', graphOf(scene), '-map', '[v]', '-r', rate, '-pix_fmt', 'yuv420p'],
      ['-c:v', 'libx264', '-preset', 'veryslow', '-profile:v', 'main', '-crf', '26', '-bf', '0', '-threads', '1'],
      ['-g', rate, '-keyint_min', rate, '-sc_threshold', '0'],
      ['-map', '0:a', '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc', '-fflags', '+bitexact', '-movflags', '+faststart'],
      ['-f', 'mp4', `${folder}/${name}.mp4`],
    )
  } finally {
    rmSync(audio, { force: true })
  }
  const pieces = shownOf(scene).map(({ from, to }) => `file ${name}.mp4\ninpoint ${from}\noutpoint ${to}`)
  writeFileSync(`${folder}/${name}.ffconcat`, `ffconcat version 1.0\n${pieces.join('\n')}\n`)
}
