import type { GreyPicture } from '../media/small-pictures.ts'
import { isCameraMoved } from './displacement.ts'
import { grey } from './gray.ts'
import { createHysteresis } from './hysteresis.ts'
import { lightBetween } from './light.ts'
import { buildMask, type Polygon } from './mask.ts'
import { regionsOf, type Region } from './regions.ts'
import { thresholdsOf, type Sensitivity } from './sensitivity.ts'
import { smooth } from './smooth.ts'

/** What a picture shows, beside the pictures before it. */
export interface MotionResult {
  readonly at: number
  /** 0 to 100. */
  readonly percent: number
  readonly moving: boolean
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null
  /** False: it was learning what stillness looks like, so that its silence says nothing. */
  readonly sure: boolean
}

export interface DetectorSettings {
  readonly sensitivity: Sensitivity
  readonly masks: readonly Polygon[]
}

export interface Detector {
  /** Pictures in the order of their time. */
  detect(picture: GreyPicture): MotionResult
  /** Holds from the next picture on; what is known of the scene stays. */
  set(settings: DetectorSettings): void
  /** What moved is over, because no pictures come. */
  rest(): void
}

/** Seconds, and grey levels; rates are a second. */
const usual = {
  /** Σ-Δ: how fast the background follows what is behind, and what stands before it. */
  follow: 1.5,
  followCovered: 0.3,
  /** Σ-Δ: how fast the usual restlessness of a pixel is learnt, and by how much it has to be exceeded. */
  restless: 2,
  exceed: 3,
  firstRestlessness: 6,
  maxRestlessness: 90,
  /** Times the noise of the whole picture, smoothed. */
  noise: 2.2,
  /** What moves has changed since a picture so old. */
  earlier: 0.75,
  /** By which the light of the whole picture changes at once, or in a second: a switch, and no cloud. */
  suddenLight: 12,
  fastLight: 9,
  learn: 2,
  settle: 1.2,
  /** A longer break, and the scene is learnt anew. */
  forget: 60,
  /** For so long after that it is learnt fast what always sways. */
  newFor: 30,
} as const

/** Shares. */
const shares = {
  /** Of the picture: where so much more differs than a picture before, the light or the camera did it. */
  sudden: 0.3,
  /** Of the picture: where so much more differs, it is asked whether the camera was moved. */
  bumped: 0.015,
  /** Of a region that has to have changed lately. */
  changed: 0.12,
  /** Of the picture: regions from here on are asked whether the light did it. */
  large: 0.01,
  /** Correlation of a region with what was there before: the same things in another light. */
  alike: 0.75,
  /** The same of its detail alone, where the light is not even. */
  alikeInDetail: 0.5,
  /** Of what a region differs by, how much of it comes from one pixel to the next at its outline, if it is a thing. */
  soft: 0.2,
} as const

/** Pixels around a region that light has made. */
const fringe = 12

/** Small regions all over the picture are weather: each beyond so many raises what counts by a share of itself. */
const clutter = { allowed: 4, raises: 1 / 5, minPixels: 3, memory: 10 } as const

/**
 * Finds what moves in small grey pictures that come from five a second to one in some seconds.
 *
 * - Background: Σ-Δ estimation. Background and restlessness of each pixel go a step up or down towards what is seen;
 *   the steps grow with the time between two pictures. A. Manzanera, J. Richefeu, "A new motion detection algorithm
 *   based on Σ-Δ background estimation", Pattern Recognition Letters 28 (2007).
 * - The light of the whole picture is taken out first: a robust line through all pixels, from the median on.
 * - What differs from the background moves only where it also differs from a picture shortly before: the hybrid of
 *   R. Collins et al., "A system for video surveillance and monitoring", CMU-RI-TR-00-12 (2000). So a car that parked
 *   or left is over when it stands, or is gone.
 * - What has no outline is light: a thing begins at an edge, headlights and clouds do not. O. Javed, K. Shafique, M. Shah,
 *   "A hierarchical approach to robust background subtraction using color and gradient information", WMVC (2002).
 * - A large region that looks as before, only lighter or darker, is light: normalised cross-correlation, as
 *   J. Jacques, C. Jung, S. Musse, "Background subtraction and shadow detection in grayscale video sequences",
 *   SIBGRAPI (2005).
 * - Where a third of the picture changes at once, nothing moved: a lamp, the infrared filter, a camera that turned. Nor
 *   where what changed is what was there before, moved as a whole: a camera that was knocked (`displacement.ts`).
 *
 * No chance is in it: the same pictures give the same findings.
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
  /** Pictures of the last second or so, each without its light. */
  let before: { at: number; differs: Float32Array }[] = []
  let lastAt: number | undefined
  /** Unix milliseconds until which nothing is said. */
  let unsureUntil = 0
  let unsurePictures = 0
  let coveredBefore = 0
  /** Unix milliseconds until which restlessness is learnt fast. */
  let newUntil = 0
  /** Of late, how many regions a picture had, and what that makes of the thresholds. */
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

  /** Around it there is light as well, only less of it. */
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
    // It rises at once, and takes its time to fall: rain does not stop for one picture.
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

/** How steep a region's outline is, a pixel, as a share of what the region differs by. */
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

/** What is left of a picture without its slow changes from place to place. */
function detailOf(picture: Float32Array, into: Float32Array, scratch: Float32Array): void {
  smooth(picture, into, scratch)
  for (let i = 0; i < grey.size; i++) into[i] = picture[i]! - into[i]!
}

/** Pearson's, over some pixels of two pictures; 0 where one of them is flat: its variance is below `least`. */
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
