/** Change of the light of a whole frame: `now = gain × before + offset`. */
export interface Light {
  readonly gain: number
  readonly offset: number
  /** Size of the remaining difference, gray levels: 1.48 × the median of |rest|, which is sigma for Gaussian noise. */
  readonly spread: number
}

/** Robust regression: rounds after the first estimate, and the multiple of the spread beyond which a pixel is an outlier. */
const fit = { rounds: 2, outlier: 2.5 } as const

/** Gray levels: a frame of no noise at all would have only outliers. */
const minSpread = 1

/** What determines the gain: pixels, and their variance in gray levels squared. */
const enough = { pixels: 100, variance: 5 ** 2 } as const

/** Range of the gain. */
const gains = { min: 0.3, max: 3 } as const

/** Standard deviation of Gaussian noise, as a multiple of the median of its absolute values. */
const sigmaPerMedian = 1.4826

/**
 * Estimates the change of light between two frames from most of their pixels.
 *
 * The median of the differences is the first estimate; two fits of a line through all matching pixels refine it. A
 * moving object matches neither and has no influence while it covers less than half of the frame.
 *
 * @param open 1 where a pixel counts
 */
export function lightBetween(before: Float32Array, now: Float32Array, open: Uint8Array): Light {
  let gain = 1
  let offset = median(before, now, open, 1, 0)
  let spread = deviation(before, now, open, gain, offset)
  for (let round = 0; round < fit.rounds; round++) {
    const limit = fit.outlier * Math.max(spread, minSpread)
    let count = 0
    let sumX = 0
    let sumY = 0
    let sumXX = 0
    let sumXY = 0
    for (let i = 0; i < now.length; i++) {
      if (open[i] === 0) continue
      const x = before[i]!
      const y = now[i]!
      if (Math.abs(y - gain * x - offset) > limit) continue
      count++
      sumX += x
      sumY += y
      sumXX += x * x
      sumXY += x * y
    }
    const variance = sumXX - (sumX * sumX) / count
    // A frame without contrast does not determine the gain.
    if (count < enough.pixels || variance < enough.variance * count) break
    gain = Math.min(gains.max, Math.max(gains.min, (sumXY - (sumX * sumY) / count) / variance))
    offset = median(before, now, open, gain, 0)
    spread = deviation(before, now, open, gain, offset)
  }
  return { gain, offset, spread }
}

/** A histogram of differences, from -256 to 256 gray levels. */
const binsPerLevel = 4
const bins = 512 * binsPerLevel
const counts = new Uint32Array(bins)

const binOf = (value: number): number => Math.min(bins - 1, Math.max(0, Math.round(value * binsPerLevel) + bins / 2))

function middle(total: number): number {
  let seen = 0
  for (let bin = 0; bin < bins; bin++) {
    seen += counts[bin]!
    if (seen * 2 >= total) return (bin - bins / 2) / binsPerLevel
  }
  return 0
}

function median(before: Float32Array, now: Float32Array, open: Uint8Array, gain: number, offset: number): number {
  counts.fill(0)
  let total = 0
  for (let i = 0; i < now.length; i++) {
    if (open[i] === 0) continue
    counts[binOf(now[i]! - gain * before[i]! - offset)]!++
    total++
  }
  return total === 0 ? 0 : middle(total)
}

function deviation(before: Float32Array, now: Float32Array, open: Uint8Array, gain: number, offset: number): number {
  counts.fill(0)
  let total = 0
  for (let i = 0; i < now.length; i++) {
    if (open[i] === 0) continue
    counts[binOf(Math.abs(now[i]! - gain * before[i]! - offset))]!++
    total++
  }
  return total === 0 ? 0 : sigmaPerMedian * middle(total)
}
