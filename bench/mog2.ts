import { createDetector, type MotionResult } from '../server/src/motion/detector.ts'
import { createHysteresis } from '../server/src/motion/hysteresis.ts'
import type { GrayFrame } from '../server/src/media/ffmpeg/gray-frames.ts'
import { heldOut } from '../server/test/support/motion-held-out.ts'
import { small, stillness, walks, type Scene } from '../server/test/support/motion-scenes.ts'
import { analyzed, motionsIn, scoreOf, type Score } from '../server/test/support/motion-score.ts'
import type { Bench, Figure } from './figure.ts'
import { startMog2, type Mog2, type Mog2Settings, type OpenCv } from './peers/mog2.ts'

/** Frames per second that are drawn, and the intervals that are analyzed. */
const rate = 5
const intervals = [0.2, 1, 2]

/** Not a dependency of the service: 13 MB that only this comparison needs. */
const module = '@techstark/opencv-js'
const install = `npm install --no-save ${module}@4.12.0-release.1`

/** Shares of the frame that one region must cover, without and with a 3×3 opening before. */
const decisions = [0.0014, 0.003, 0.006, 0.01].flatMap((area) => [false, true].map((opened) => ({ area, opened })))
const models: readonly Mog2Settings[] = [10, 30, 120].flatMap((memory) =>
  [16, 36].map((varThreshold) => ({ memory, varThreshold })),
)
const variants = models.flatMap((model) => decisions.map((decision) => ({ ...model, ...decision })))
type Variant = (typeof variants)[number]

/** Above this share, the light has changed: the rule that programs with MOG2 have too. */
const sudden = 1 / 3

/**
 * Compares the detector with OpenCV's MOG2 on the same small frames, with the same rules for when motion begins and
 * ends. MOG2 gets the settings that are best for it on the first set, of all variants, for each interval.
 */
export const mog2: Bench = {
  name: 'mog2',
  async run({ quick, print }) {
    const loaded = await loadOpenCv()
    if (!loaded) throw new Error(`This bench needs OpenCV: ${install}`)
    const { cv } = loaded
    const chosen = quick ? [1] : intervals
    const tuned = [...walks, ...stillness]
    const [first, second] = [compare(cv, tuned, chosen, print), compare(cv, heldOut, chosen, print)]
    return chosen.flatMap((every) => {
      const best = bestOf(first.get(every)!.theirs)
      const name = `a frame every ${every} s`
      const settings = `memory ${best.memory} s, variance ${best.varThreshold}, area ${(best.area * 100).toFixed(2)} %, ${best.opened ? 'opened' : 'not opened'}`
      print(`mog2: ${name}: ${settings}`)
      return [
        figure(`motion, medium, ${name}, against MOG2`, first.get(every)!, best),
        figure(`motion, held out, medium, ${name}, against MOG2`, second.get(every)!, best),
      ]
    })
  },
}

/** In an object, because it has a `then` that gives itself, and so can't be awaited. */
async function loadOpenCv(): Promise<{ readonly cv: OpenCv } | undefined> {
  type Loading = { then(done: (cv: OpenCv) => void): void }
  const loaded = (await import(module).catch(() => undefined)) as { default: Loading } | undefined
  if (!loaded) return undefined
  return new Promise((done) => loaded.default.then((cv) => done({ cv })))
}

interface Compared {
  readonly ours: Score[]
  readonly theirs: Map<Variant, Score[]>
  /** Milliseconds of all frames, of one model for MOG2. */
  readonly time: { ours: number; theirs: number; frames: number }
}

/** Draws each scene once, and analyzes it in all ways. */
function compare(
  cv: OpenCv,
  scenes: readonly Scene[],
  chosen: readonly number[],
  print: (line: string) => void,
): Map<number, Compared> {
  const all = new Map<number, Compared>(
    chosen.map((every) => [
      every,
      { ours: [], theirs: new Map(variants.map((each) => [each, []])), time: { ours: 0, theirs: 0, frames: 0 } },
    ]),
  )
  for (const scene of scenes) {
    print(`mog2: ${scene.name}`)
    const frames = Array.from({ length: scene.seconds * rate }, (_, n) =>
      small(scene.draw(n / rate), (n / rate) * 1000),
    )
    for (const [every, compared] of all) {
      const seen = frames.filter((_, n) => n % Math.round(every * rate) === 0)
      analyze(cv, scene, seen, compared)
    }
  }
  return all
}

function analyze(cv: OpenCv, { events }: Scene, frames: readonly GrayFrame[], { ours, theirs, time }: Compared): void {
  let began = performance.now()
  ours.push(scoreOf(events, motionsIn(analyzed(frames), createDetector({ sensitivity: 'medium', masks: [] }))))
  time.ours += performance.now() - began
  time.frames += frames.length
  for (const model of models) {
    const subtractor = startMog2(cv, model)
    const own = variants.filter((each) => each.memory === model.memory && each.varThreshold === model.varThreshold)
    const detectors = own.map((variant) => ({ variant, results: [] as MotionResult[], next: decider(variant) }))
    let before = frames[0]?.at ?? 0
    for (const frame of frames) {
      began = performance.now()
      const seconds = (frame.at - before) / 1000
      before = frame.at
      const shares = subtractor.apply(frame, seconds)
      time.theirs += (performance.now() - began) / models.length
      for (const { next, results } of detectors) results.push(next(frame.at, seconds, shares))
    }
    subtractor.end()
    for (const { variant, results } of detectors) {
      const remaining = results.values()
      const spans = motionsIn(frames, { detect: () => remaining.next().value! })
      theirs.get(variant)!.push(scoreOf(events, spans))
    }
  }
}

/** Decides like the detector: a region of this share, four times that for one rare frame, half of it to continue. */
function decider({ area, opened }: Variant) {
  const hysteresis = createHysteresis()
  return (at: number, seconds: number, shares: ReturnType<Mog2['apply']>): MotionResult => {
    const { largest, total } = opened ? shares.opened : shares.plain
    const share = total > sudden ? 0 : largest
    const over = share >= 4 * area ? 'strong' : share >= area ? 'begin' : share >= area / 2 ? 'go-on' : 'none'
    const moving = hysteresis.next(Math.min(seconds, 10), over)
    return { at, percent: share * 100, moving, box: null, sure: true }
  }
}

interface Sum {
  readonly recall: number
  readonly precision: number
  readonly text: string
}

function sumOf(scores: readonly Score[]): Sum {
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
    recall,
    precision,
    text: `recall ${recall.toFixed(2)} (${found}/${events}), precision ${precision.toFixed(2)} (${right}/${all})`,
  }
}

/** The harmonic mean of recall and precision. */
const f1 = ({ recall, precision }: Sum): number =>
  (2 * recall * precision) / Math.max(recall + precision, Number.EPSILON)

const bestOf = (scores: ReadonlyMap<Variant, readonly Score[]>): Variant =>
  [...scores].toSorted(([, a], [, b]) => f1(sumOf(b)) - f1(sumOf(a)))[0]![0]

function figure(what: string, { ours, theirs, time }: Compared, best: Variant): Figure {
  const [own, peer] = [sumOf(ours), sumOf(theirs.get(best)!)]
  const cost = (ms: number) => `${((ms * 1000) / time.frames).toFixed(0)} µs a frame`
  return {
    what,
    ours: `${own.text}, ${cost(time.ours)}`,
    peer: `${peer.text}, ${cost(time.theirs)}`,
    ratio: f1(own) / f1(peer),
    target: '≥ 1.00',
    met: f1(own) >= f1(peer),
  }
}
