import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { GrayFrame } from '../media/ffmpeg/gray-frames.ts'
import type { MotionSample } from '../shared/camera/motion-sample.ts'
import { gray } from './gray.ts'
import { createHysteresis } from './hysteresis.ts'
import type { Region } from './regions.ts'
import { areaOf, createScene } from './scene.ts'
import { noMemory, see, strictnessOf } from './scene-change.ts'

/** Result for one frame, compared with the frames before. */
export interface MotionResult extends MotionSample {
  /** False while the detector learns the still scene, so that no motion means nothing. */
  readonly sure: boolean
}

export type DetectorSettings = Pick<CameraConfig['motion'], 'sensitivity' | 'masks'>

export interface Detector {
  /** Frames must be in order of time. */
  detect(frame: GrayFrame): MotionResult
  /** Applies from the next frame on; the learned scene stays. */
  set(settings: DetectorSettings): void
  /** Ends current motion, because no frames arrive. */
  rest(): void
}

/** Multiple of the share at which motion begins from which one frame can be enough. */
const strong = 4

/** Seconds: a longer time between two frames counts as this much motion or stillness. */
const maxStep = 10

/**
 * Detects motion in small gray frames, between two per second and one every few seconds.
 *
 * - Background: Σ-Δ estimation. The background and the usual variation of each pixel step up or down toward the
 *   current value; the steps grow with the time between frames. A. Manzanera, J. Richefeu, "A new motion detection
 *   algorithm based on Σ-Δ background estimation", Pattern Recognition Letters 28 (2007).
 * - The light of the whole frame is removed first: a robust line through all pixels, starting from the median.
 * - A pixel that differs from the background moves only if it also differs from a recent frame: the hybrid of
 *   R. Collins et al., "A system for video surveillance and monitoring", CMU-RI-TR-00-12 (2000). So the motion of a car
 *   that parks or leaves ends once the car stands still or has left.
 * - A region without an outline is light: an object begins at an edge, headlights and clouds do not. O. Javed,
 *   K. Shafique, M. Shah, "A hierarchical approach to robust background subtraction using color and gradient
 *   information", WMVC (2002).
 * - A large region that looks as before, only lighter or darker, is light: normalized cross-correlation, as in
 *   J. Jacques, C. Jung, S. Musse, "Background subtraction and shadow detection in grayscale video sequences",
 *   SIBGRAPI (2005).
 * - If a third of the frame changes suddenly, nothing moved: a lamp, the infrared filter, a turned camera. The same
 *   applies if the frame is the previous frame, shifted as a whole: a bumped camera (`displacement.ts`).
 *
 * Deterministic: the same frames give the same results.
 *
 * All numbers of this folder that aren't explained where they are were chosen with the drawn scenes of
 * `motion-scenes.ts`, by `npm run bench -- motion`; docs/performance.md has what they achieve there and in scenes that
 * they weren't chosen with.
 */
export function createDetector(settings: DetectorSettings): Detector {
  const scene = createScene()
  const hysteresis = createHysteresis()
  let area = areaOf(settings.sensitivity, settings.masks)
  let memory = noMemory

  const nothing = (at: number, sure: boolean): MotionResult => ({
    at,
    percent: 0,
    moving: hysteresis.moving,
    box: null,
    sure,
  })
  const resultOf = (at: number, since: number, found: readonly Region[], sure: boolean): MotionResult => {
    const { thresholds, openCount } = area
    const strictness = strictnessOf(memory)
    const min = (hysteresis.moving ? thresholds.goOn : thresholds.begin) * strictness * openCount
    const large = found.filter(({ pixels }) => pixels.length >= min)
    const goesOn = found.length > 0
    const isStrong = large.some(({ pixels }) => pixels.length >= strong * thresholds.begin * strictness * openCount)
    const over = isStrong ? 'strong' : large.length > 0 ? 'begin' : goesOn ? 'go-on' : 'none'
    const moving = hysteresis.next(Math.min(since, maxStep), over)
    if (large.length === 0) return { ...nothing(at, sure), moving }
    const pixels = large.reduce((sum, region) => sum + region.pixels.length, 0)
    return { at, percent: Math.round((pixels / openCount) * 1000) / 10, moving, box: boxOf(large), sure }
  }

  return {
    detect(frame) {
      const { memory: next, observation } = see(scene, area, memory, frame)
      memory = next
      const { at } = frame
      switch (observation.kind) {
        case 'new-scene':
          hysteresis.reset()
          return nothing(at, false)
        case 'sudden-change':
          return resultOf(at, observation.since, [], false)
        case 'regions':
          return resultOf(at, observation.since, observation.regions, observation.sure)
      }
    },
    set: ({ sensitivity, masks }) => void (area = areaOf(sensitivity, masks)),
    rest: hysteresis.reset,
  }
}

function boxOf(regions: readonly Region[]): NonNullable<MotionResult['box']> {
  const left = Math.min(...regions.map((region) => region.left)) / gray.width
  const top = Math.min(...regions.map((region) => region.top)) / gray.height
  const right = (Math.max(...regions.map((region) => region.right)) + 1) / gray.width
  const bottom = (Math.max(...regions.map((region) => region.bottom)) + 1) / gray.height
  return { x: left, y: top, width: right - left, height: bottom - top }
}
