import { createDetector, type Detector, type MotionResult } from '../../src/motion/detector.ts'
import { minInterval, type GrayFrame } from '../../src/media/ffmpeg/gray-frames.ts'
import type { Sensitivity } from '../../src/motion/sensitivity.ts'
import { small, type Scene, type Span } from './motion-scenes.ts'

/** Counts by event: a person who crosses counts once, and so does a reported motion. */
export interface Score {
  readonly events: number
  readonly found: number
  readonly reported: number
  readonly right: number
  /** Seconds in which false motion was reported. */
  readonly wrongSeconds: number
}

/** Seconds by which a report can be early or late. */
const tolerance = 3

/** Of the frames of a stream, those that the service analyzes. */
export function* analyzed(frames: Iterable<GrayFrame>): Generator<GrayFrame> {
  let last = -Infinity
  for (const frame of frames) {
    if (frame.at - last < minInterval * 1000) continue
    last = frame.at
    yield frame
  }
}

/** The time ranges with motion in a sequence of small frames. */
export function motionsIn(frames: Iterable<GrayFrame>, detector: Pick<Detector, 'detect'>): Span[] {
  const spans: { from: number; to: number }[] = []
  let before: MotionResult | undefined
  for (const frame of frames) {
    const finding = detector.detect(frame)
    const at = finding.at / 1000
    const last = spans.at(-1)
    if (finding.moving && !before?.moving) spans.push({ from: at, to: at })
    else if (finding.moving && last) last.to = at
    before = finding
  }
  return spans
}

const meets = (a: Span, b: Span): boolean => a.from <= b.to + tolerance && b.from <= a.to

export function scoreOf(events: readonly Span[], reported: readonly Span[]): Score {
  const right = reported.filter((each) => events.some((event) => meets(each, event)))
  const wrong = reported.filter((each) => !right.includes(each))
  return {
    events: events.length,
    found: events.filter((event) => reported.some((each) => each.from <= event.to + 1 && event.from <= each.to)).length,
    reported: reported.length,
    right: right.length,
    wrongSeconds: wrong.reduce((sum, { from, to }) => sum + to - from, 0),
  }
}

/** @param every seconds between two frames. @param seconds of the scene, from its start */
export function scoreScene(scene: Scene, every: number, sensitivity: Sensitivity, seconds = scene.seconds): Score {
  const frames = function* (): Generator<GrayFrame> {
    for (let time = 0; time < seconds; time += every) yield small(scene.draw(time), time * 1000)
  }
  return scoreOf(scene.events, motionsIn(analyzed(frames()), createDetector({ sensitivity, masks: [] })))
}
