import type { CameraConfig } from '../cameras/cameras.config.ts'
import type { GreyPicture } from '../media/ffmpeg/small-pictures.ts'
import { isCameraMoved } from './displacement.ts'
import { grey } from './gray.ts'
import { createHysteresis } from './hysteresis.ts'
import { lightBetween } from './light.ts'
import { buildMask } from './mask.ts'
import { regionsOf, type Region } from './regions.ts'
import { thresholdsOf } from './sensitivity.ts'
import { smooth } from './smooth.ts'

/** Result for one frame, compared with the frames before. */
export interface MotionResult {
  readonly at: number
  /** 0 to 100. */
  readonly percent: number
  readonly moving: boolean
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null
  /** False while the detector learns the still scene, so that no motion means nothing. */
  readonly sure: boolean
}

export type DetectorSettings = Pick<CameraConfig['motion'], 'sensitivity' | 'masks'>

export interface Detector {
  /** Frames must be in order of time. */
  detect(picture: GreyPicture): MotionResult
  /** Applies from the next frame on; the learned scene stays. */
  set(settings: DetectorSettings): void
  /** Ends current motion, because no frames arrive. */
  rest(): void
}

/** Seconds and gray levels; rates are per second. */
const usual = {
  /** Σ-Δ: how fast the background follows the scene. */
  follow: 1.5,
  followCovered: 0.3,
  /** Σ-Δ: how fast the usual variation of a pixel is learned, and the factor by which a change must exceed it. */
  restless: 2,
  exceed: 3,
  firstRestlessness: 6,
  maxRestlessness: 90,
  /** Multiple of the smoothed noise of the whole frame. */
  noise: 2.2,
  /** A moving object differs from a frame of this age. */
  earlier: 0.75,
  /** Change of the light of the whole frame, immediately or within a second: a switch, not a cloud. */
  suddenLight: 12,
  fastLight: 9,
  learn: 2,
  settle: 1.2,
  /** After a longer gap, the scene is learned again. */
  forget: 60,
  /** For this long after that, constant motion such as swaying trees is learned fast. */
  newFor: 30,
} as const

/** Fractions from 0 to 1. */
const shares = {
  /** Of the frame: if this much more differs than in the frame before, the light or the camera changed. */
  sudden: 0.3,
  /** Of the frame: if this much more differs, the detector checks whether the camera was moved. */
  bumped: 0.015,
  /** Of a region: the part that must have changed recently. */
  changed: 0.12,
  /** Of the frame: larger regions are checked for a change of light. */
  large: 0.01,
  /** Correlation of a region with its background: the same things in another light. */
  alike: 0.75,
  /** The same for its detail alone, in uneven light. */
  alikeInDetail: 0.5,
  /** Share of a region's difference that occurs from one pixel to the next at its outline, if it is an object. */
  soft: 0.2,
} as const

/** Pixels around a region caused by light. */
const fringe = 12

/** Many small regions are weather: each region beyond `allowed` raises the thresholds by `raises`. */
const clutter = { allowed: 4, raises: 1 / 5, minPixels: 3, memory: 10 } as const

/**
 * Detects motion in small gray frames, between five per second and one every few seconds.
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
 *   where what changed is what was there before, moved as a whole: a camera that was knocked (`displacement.ts`).
 *
 * Deterministic: the same frames give the same results.
 */
export function createDetector(settings: DetectorSettings): Detector {
  let thresholds = thresholdsOf[settings.sensitivity]
  let open = buildMask(settings.masks)
  let openCount = count(open)
  const hysteresis = createHysteresis()

  const now = make()
  const background = make()
  const restlessness = make().fill(usual.firstRestlessness)
  const rest = make()
  const differs = make()
  const scratch = make()
  const lit = make()
  const backgroundDetail = make()
  const nowDetail = make()
  const covered = new Uint8Array(grey.size)
  const changed = new Uint8Array(grey.size)
  /** Frames of the last second or so, each without its light. */
  let before: { at: number; differs: Float32Array }[] = []
  let lastAt: number | undefined
  /** Unix milliseconds until which there is no result. */
  let unsureUntil = 0
  let unsurePictures = 0
  let coveredBefore = 0
  /** Unix milliseconds until which variation is learned fast. */
  let newUntil = 0
  /** Recent number of regions per frame, and the resulting factor of the thresholds. */
  let pieces = 0
  let strictness = 1

  const learn = (at: number, seconds: number): void => {
    background.set(now)
    before = []
    unsureUntil = at + seconds * 1000
    unsurePictures = 1
  }
  const nothing = (at: number, sure: boolean): MotionResult => ({
    at,
    percent: 0,
    moving: hysteresis.moving,
    box: null,
    sure,
  })

  const detect = ({ at, pixels }: GreyPicture): MotionResult => {
    now.set(pixels)
    const since = lastAt === undefined ? Infinity : (at - lastAt) / 1000
    lastAt = at
    if (since > usual.forget || since < 0) {
      restlessness.fill(usual.firstRestlessness)
      hysteresis.reset()
      learn(at, usual.learn)
      newUntil = at + usual.newFor * 1000
      return nothing(at, false)
    }
    const { gain, offset, spread } = lightBetween(background, now, open)
    for (let i = 0; i < grey.size; i++) {
      const there = gain * background[i]! + offset
      lit[i] = there
      rest[i] = now[i]! - there
    }
    smooth(rest, differs, scratch)
    const noise = Math.max(0.5, spread) * usual.noise * 0.5
    const min = Math.max(thresholds.contrast, noise)

    let coveredCount = 0
    let shift = 0
    for (let i = 0; i < grey.size; i++) {
      shift += Math.abs(lit[i]! - background[i]!)
      const is = open[i] === 1 && Math.abs(differs[i]!) > Math.max(min, restlessness[i]!)
      covered[i] = is ? 1 : 0
      if (is) coveredCount++
    }
    const more = coveredCount - coveredBefore
    coveredBefore = coveredCount
    const bright = shift / grey.size > Math.max(usual.suddenLight, usual.fastLight * since)
    const bumped = (): boolean => more > shares.bumped * openCount && isCameraMoved(lit, now, covered)
    if (bright || more > shares.sudden * openCount || bumped()) {
      coveredBefore = 0
      learn(at, usual.settle)
      return step(at, since, [], false)
    }

    const earlier = before.findLast((each) => at - each.at >= usual.earlier * 1000) ?? before[0]
    for (let i = 0; i < grey.size; i++) {
      const limit = Math.max(min, 0.7 * restlessness[i]!)
      changed[i] = earlier && Math.abs(differs[i]! - earlier.differs[i]!) > limit ? 1 : 0
    }
    const sure = at >= unsureUntil && unsurePictures > 1
    unsurePictures++
    const regions = sure ? regionsOf(covered) : []
    noteClutter(regions, since)
    const found = regions.filter(isMoving)
    const byLight = found.filter(isLight)
    for (const region of byLight) absorbLight(region)
    const kept = found.filter((region) => !byLight.includes(region))

    const quick = sure ? 1 : 6
    const seconds = Math.min(since, 4)
    for (let i = 0; i < grey.size; i++) {
      const is = covered[i] === 1
      const follow = (is && sure ? usual.followCovered : usual.follow * quick) * seconds
      background[i] = lit[i]! + Math.max(-follow, Math.min(follow, now[i]! - lit[i]!))
      const requested = Math.min(usual.maxRestlessness, usual.exceed * Math.abs(differs[i]!))
      const restless = usual.restless * seconds * (at < newUntil ? 3 : 1)
      restlessness[i]! += Math.max(-restless / 4, Math.min(restless, requested - restlessness[i]!))
    }
    before = [
      ...before.filter((each) => at - each.at < usual.earlier * 2000).slice(-8),
      { at, differs: Float32Array.from(differs) },
    ]
    return step(at, since, kept, sure)
  }

  /** The surroundings are light too, only less of it. */
  const absorbLight = ({ pixels, left, right, top, bottom }: Region): void => {
    for (const i of pixels) absorb(i)
    for (let y = Math.max(0, top - fringe); y <= Math.min(grey.height - 1, bottom + fringe); y++) {
      for (let x = Math.max(0, left - fringe); x <= Math.min(grey.width - 1, right + fringe); x++) {
        const i = y * grey.width + x
        if (covered[i] === 0) absorb(i)
      }
    }
  }
  const absorb = (i: number): void => {
    background[i] = now[i]!
    lit[i] = now[i]!
  }
  const noteClutter = (regions: readonly Region[], since: number): void => {
    const small = regions.filter(({ pixels }) => pixels.length >= clutter.minPixels).length
    const weight = Math.min(1, since / clutter.memory)
    // The count rises immediately and falls slowly: rain does not stop for one frame.
    pieces = small > pieces ? pieces + (small - pieces) * Math.min(1, weight * 4) : pieces + (small - pieces) * weight
    strictness = 1 + Math.max(0, pieces - clutter.allowed) * clutter.raises
  }
  const isMoving = ({ pixels }: Region): boolean => {
    if (pixels.length < thresholds.goOn * strictness * openCount) return false
    let moved = 0
    for (const i of pixels) moved += changed[i]!
    return moved >= Math.max(2, Math.min(thresholds.goOn * openCount, shares.changed * pixels.length))
  }
  const isLight = ({ pixels }: Region): boolean => {
    if (steepness(pixels, covered, differs) < shares.soft) return true
    if (pixels.length <= shares.large * openCount) return false
    if (correlation(pixels, background, now, 16) > shares.alike) return true
    detailOf(background, backgroundDetail, scratch)
    detailOf(now, nowDetail, scratch)
    return correlation(pixels, backgroundDetail, nowDetail, 4) > shares.alikeInDetail
  }

  const step = (at: number, since: number, found: readonly Region[], sure: boolean): MotionResult => {
    const min = (hysteresis.moving ? thresholds.goOn : thresholds.begin) * strictness * openCount
    const large = found.filter(({ pixels }) => pixels.length >= min)
    const goesOn = found.length > 0
    const strong = large.some(({ pixels }) => pixels.length >= 4 * thresholds.begin * strictness * openCount)
    const over = strong ? 'strong' : large.length > 0 ? 'begin' : goesOn ? 'go-on' : 'none'
    const moving = hysteresis.next(Math.min(since, 10), over)
    if (large.length === 0) return { ...nothing(at, sure), moving }
    const pixels = large.reduce((sum, region) => sum + region.pixels.length, 0)
    return { at, percent: Math.round((pixels / openCount) * 1000) / 10, moving, box: boxOf(large), sure }
  }

  return {
    detect,
    set(next) {
      thresholds = thresholdsOf[next.sensitivity]
      open = buildMask(next.masks)
      openCount = count(open)
    },
    rest: hysteresis.reset,
  }
}

const make = (): Float32Array => new Float32Array(grey.size)

const count = (open: Uint8Array): number =>
  Math.max(
    1,
    open.reduce((sum, each) => sum + each, 0),
  )

function boxOf(regions: readonly Region[]): NonNullable<MotionResult['box']> {
  const left = Math.min(...regions.map((region) => region.left)) / grey.width
  const top = Math.min(...regions.map((region) => region.top)) / grey.height
  const right = (Math.max(...regions.map((region) => region.right)) + 1) / grey.width
  const bottom = (Math.max(...regions.map((region) => region.bottom)) + 1) / grey.height
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** How steep a region's outline is per pixel, as a share of the region's difference. */
function steepness(pixels: readonly number[], covered: Uint8Array, differs: Float32Array): number {
  let outline = 0
  let slope = 0
  let all = 0
  for (const i of pixels) {
    all += Math.abs(differs[i]!)
    const x = i % grey.width
    if (x === 0 || x === grey.width - 1 || i < grey.width || i >= grey.size - grey.width) continue
    const [left, right, above, below] = [i - 1, i + 1, i - grey.width, i + grey.width]
    if ([left, right, above, below].every((beside) => covered[beside] === 1)) continue
    outline++
    slope += Math.hypot(differs[right]! - differs[left]!, differs[below]! - differs[above]!) / 2
  }
  return outline === 0 ? Infinity : slope / outline / (all / pixels.length)
}

/** A frame without its slow changes from place to place. */
function detailOf(picture: Float32Array, into: Float32Array, scratch: Float32Array): void {
  smooth(picture, into, scratch)
  for (let i = 0; i < grey.size; i++) into[i] = picture[i]! - into[i]!
}

/** Pearson correlation over some pixels of two frames; 0 if one is flat, with a variance below `min`. */
function correlation(pixels: readonly number[], a: Float32Array, b: Float32Array, min: number): number {
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0]
  for (const i of pixels) {
    const x = a[i]!
    const y = b[i]!
    sumA += x
    sumB += y
    sumAA += x * x
    sumBB += y * y
    sumAB += x * y
  }
  const n = pixels.length
  const varianceA = sumAA / n - (sumA / n) ** 2
  const varianceB = sumBB / n - (sumB / n) ** 2
  if (varianceA < min || varianceB < min) return 0
  return (sumAB / n - (sumA / n) * (sumB / n)) / Math.sqrt(varianceA * varianceB)
}
