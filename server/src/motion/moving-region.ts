import { gray } from './gray.ts'
import type { Region } from './regions.ts'
import type { Area, Scene } from './scene.ts'
import { smooth } from './smooth.ts'

/** Fractions from 0 to 1. */
const shares = {
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

/** Pixels that must have changed, however small the region is: a single one can be noise. */
const minChanged = 2

/** Variance below which a region has nothing to compare, gray levels squared: of the frame, and of its detail. */
const flat = { frame: 4 ** 2, detail: 2 ** 2 } as const

/** Whether enough of a region has changed recently. */
export function isMoving(
  { pixels }: Region,
  { changed }: Scene,
  { thresholds, openCount }: Area,
  strictness: number,
): boolean {
  if (pixels.length < thresholds.goOn * strictness * openCount) return false
  let moved = 0
  for (const i of pixels) moved += changed[i]!
  return moved >= Math.max(minChanged, Math.min(thresholds.goOn * openCount, shares.changed * pixels.length))
}

/** Whether a region is light: it has no outline, or looks as before, only lighter or darker. */
export function isLight({ pixels }: Region, scene: Scene, { openCount }: Area): boolean {
  const { background, now, backgroundDetail, nowDetail, scratch } = scene
  if (steepness(pixels, scene.covered, scene.differs) < shares.soft) return true
  if (pixels.length <= shares.large * openCount) return false
  if (correlation(pixels, background, now, flat.frame) > shares.alike) return true
  detailOf(background, backgroundDetail, scratch)
  detailOf(now, nowDetail, scratch)
  return correlation(pixels, backgroundDetail, nowDetail, flat.detail) > shares.alikeInDetail
}

/** Takes a region as background. Its surroundings are light too, only less of it. */
export function absorbLight(
  { pixels, left, right, top, bottom }: Region,
  { background, lit, now, covered }: Scene,
): void {
  const absorb = (i: number): void => {
    background[i] = now[i]!
    lit[i] = now[i]!
  }
  for (const i of pixels) absorb(i)
  for (let y = Math.max(0, top - fringe); y <= Math.min(gray.height - 1, bottom + fringe); y++) {
    for (let x = Math.max(0, left - fringe); x <= Math.min(gray.width - 1, right + fringe); x++) {
      const i = y * gray.width + x
      if (covered[i] === 0) absorb(i)
    }
  }
}

/** How steep a region's outline is per pixel, as a share of the region's difference. */
function steepness(pixels: readonly number[], covered: Uint8Array, differs: Float32Array): number {
  let outline = 0
  let slope = 0
  let all = 0
  for (const i of pixels) {
    all += Math.abs(differs[i]!)
    const x = i % gray.width
    if (x === 0 || x === gray.width - 1 || i < gray.width || i >= gray.size - gray.width) continue
    const [left, right, above, below] = [i - 1, i + 1, i - gray.width, i + gray.width]
    if ([left, right, above, below].every((beside) => covered[beside] === 1)) continue
    outline++
    slope += Math.hypot(differs[right]! - differs[left]!, differs[below]! - differs[above]!) / 2
  }
  return outline === 0 ? Infinity : slope / outline / (all / pixels.length)
}

/** A frame without its slow changes from place to place. */
function detailOf(frame: Float32Array, into: Float32Array, scratch: Float32Array): void {
  smooth(frame, into, scratch)
  for (let i = 0; i < gray.size; i++) into[i] = frame[i]! - into[i]!
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
