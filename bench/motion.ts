import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { createFmp4Parser } from '../server/src/media/mp4/fmp4-parser.ts'
import type { Fragment } from '../server/src/media/mp4/fragment.ts'
import type { InitSegment } from '../server/src/media/mp4/init-segment.ts'
import { createGrayFrameDecoder } from '../server/src/media/ffmpeg/gray-frames.ts'
import type { GrayFrame } from '../server/src/media/ffmpeg/gray-frames.ts'
import { createDetector } from '../server/src/motion/detector.ts'
import { gray } from '../server/src/motion/gray.ts'
import type { Sensitivity } from '../server/src/motion/sensitivity.ts'
import { heldOut, heldOutWeather } from '../server/test/support/motion-held-out.ts'
import { canvas, small, stillness, walks, weather, type Scene } from '../server/test/support/motion-scenes.ts'
import { analyzed, motionsIn, scoreOf, type Score } from '../server/test/support/motion-score.ts'
import type { Bench, Figure } from './figure.ts'

/** Frames per second that are drawn, and of these encoded. */
const rates = { drawn: 10, encoded: 5 } as const

/** A way to analyze a scene. */
interface Way {
  readonly name: string
  readonly level: Sensitivity
  readonly frames: 'drawn' | 'encoded'
  /** Seconds between two analyzed frames. */
  readonly every: number
}

const way = (level: Sensitivity, frames: Way['frames'], every: number): Way => ({
  name: frames === 'drawn' ? `${level}, a frame every ${every} s` : `${level}, H.264, a key frame every ${every} s`,
  level,
  frames,
  every,
})

const quickWays = [way('medium', 'drawn', 1), way('medium', 'encoded', 2)]
const allWays = [
  ...(['low', 'medium', 'high'] as const).flatMap((level) =>
    [0.2, 0.5, 1, 2, 4].map((every) => way(level, 'drawn', every)),
  ),
  ...[1, 2].map((every) => way('medium', 'encoded', every)),
]

/** Measures detections and false detections in drawn scenes; each scene is drawn once for all ways. */
export const motion: Bench = {
  name: 'motion',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: nothing can be encoded without it')
    const ways = quick ? quickWays : allWays
    const sets = [
      { name: '', scenes: [...walks, ...stillness], weather },
      { name: 'held out, ', scenes: heldOut, weather: heldOutWeather },
    ]
    const figures: Figure[] = []
    for (const { name, scenes, weather } of sets) {
      const scores = new Map<Way, Score[]>(ways.map((each) => [each, []]))
      for (const scene of [...scenes, ...weather]) {
        const frames = await framesOf(ffmpeg, scene, ways, scratch)
        for (const each of ways) {
          const spans = motionsIn(analyzed(frames(each)), createDetector({ sensitivity: each.level, masks: [] }))
          const score = scoreOf(scene.events, spans)
          report(print, `${name}${each.name}`, scene, score)
          if (!weather.includes(scene)) scores.get(each)?.push(score)
        }
      }
      for (const [each, all] of scores) figures.push(figure(name + each.name, all, each.level === 'medium'))
    }
    return figures
  },
}

function report(print: (line: string) => void, how: string, { name, seconds }: Scene, score: Score): void {
  const { events, found, right, reported, wrongSeconds } = score
  if (found === events && right === reported) return
  const wrong = `${reported - right} wrong (${wrongSeconds.toFixed(0)} s of ${seconds} s)`
  print(`  ${how}, ${name}: ${found} of ${events} found, ${wrong}`)
}

/** Recall: detected crossings of all crossings. Precision: reported motions that were a person, of all reported. */
function figure(what: string, scores: readonly Score[], counts: boolean): Figure {
  const sum = (of: (score: Score) => number): number => scores.reduce((all, score) => all + of(score), 0)
  const [events, found, all, right] = [
    sum((s) => s.events),
    sum((s) => s.found),
    sum((s) => s.reported),
    sum((s) => s.right),
  ]
  const recall = found / events
  const precision = all === 0 ? 1 : right / all
  return {
    what: `motion, ${what}`,
    ours: `recall ${recall.toFixed(2)} (${found}/${events}), precision ${precision.toFixed(2)} (${right}/${all})`,
    peer: '',
    ratio: undefined,
    target: counts ? '≥ 0.95, ≥ 0.95' : undefined,
    met: counts ? recall >= 0.95 && precision >= 0.95 : undefined,
  }
}

async function framesOf(
  ffmpeg: string,
  { draw, seconds }: Scene,
  ways: readonly Way[],
  scratch: string,
): Promise<(way: Way) => readonly GrayFrame[]> {
  const intervals = ways.filter(({ frames }) => frames === 'encoded').map(({ every }) => every)
  const files = intervals.map((every) => ({ every, file: join(scratch, `scene-${every}.mp4`) }))
  const encoder = startEncoder(ffmpeg, files)
  const ended = once(encoder, 'exit')
  const drawn: GrayFrame[] = []
  for (let number = 0; number < seconds * rates.drawn; number++) {
    const frame = draw(number / rates.drawn)
    drawn.push(small(frame, (number / rates.drawn) * 1000))
    if (number % (rates.drawn / rates.encoded) > 0) continue
    if (encoder.stdin?.write(frame) === false) await once(encoder.stdin, 'drain')
  }
  encoder.stdin?.end()
  await ended
  const encoded = new Map<number, GrayFrame[]>()
  for (const { every, file } of files) encoded.set(every, await decode(ffmpeg, file))
  return ({ frames, every }) =>
    frames === 'encoded'
      ? (encoded.get(every) ?? [])
      : drawn.filter((_, i) => i % Math.round(every * rates.drawn) === 0)
}

/** 720p, encoded once per key frame interval; each frame has as many bits as one of 10 fps at 1 Mbit/s. */
function startEncoder(ffmpeg: string, files: readonly { every: number; file: string }[]): ChildProcess {
  const args = [
    ['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${canvas.width}x${canvas.height}`],
    ['-r', String(rates.encoded), '-i', 'pipe:0'],
    files.flatMap(({ every, file }) =>
      [
        ['-vf', 'scale=1280:720', '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast'],
        ['-tune', 'zerolatency', '-b:v', '500k', '-maxrate', '500k', '-bufsize', '500k'],
        ['-g', String(rates.encoded * every), '-sc_threshold', '0', '-y', file],
      ].flat(),
    ),
  ].flat()
  return spawn(ffmpeg, args, { stdio: ['pipe', 'inherit', 'inherit'] })
}

const idle = (): void => {}

/** Uses the same decoder as a camera, one key frame after the other. */
async function decode(ffmpeg: string, file: string): Promise<GrayFrame[]> {
  const flags = '+frag_every_frame+empty_moov+default_base_moof'
  const args = ['-v', 'error', '-i', file, '-c', 'copy', '-f', 'mp4', '-movflags', flags, 'pipe:1']
  let init: InitSegment | undefined
  const keys: Fragment[] = []
  const parser = createFmp4Parser({
    init: (segment) => (init = segment),
    fragment: (fragment) => void (fragment.key && keys.push(fragment)),
  })
  const copy = spawn(ffmpeg, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of copy.stdout) parser.write(chunk as Buffer)
  if (!init) throw new Error('nothing was encoded')
  const frames: GrayFrame[] = []
  let elapsed = 0
  let next: () => void = idle
  const decoder = createGrayFrameDecoder({
    ffmpeg,
    size: gray,
    onFrame(frame) {
      frames.push(frame)
      next()
    },
    onTrouble: (problem) => {
      if (problem) throw new Error(problem.message)
    },
    clock: { now: () => elapsed, elapsed: () => elapsed },
    random: { bytes: (length) => Buffer.alloc(length) },
    backoff: { first: 1000, max: 1000 },
  })
  decoder.begin(init)
  for (const key of keys) {
    elapsed = key.time * 1000 + 100
    const done = new Promise<void>((resolve) => (next = resolve))
    decoder.fragment(key, elapsed)
    await done
  }
  await decoder.stop()
  return frames
}
