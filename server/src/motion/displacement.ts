import { gray } from './gray.ts'
import { smooth } from './smooth.ts'

const { width, height } = gray

/** Maximum shift of a frame, pixels. */
const max = { x: 16, y: 10 } as const

/** The shift is refined around the estimate: how far, and by which steps. Pixels. */
const refinement = { reach: 1.5, step: 0.5 } as const

/** Share of the differing pixels that the shift must explain: of the difference of each, less than `rest` remains. */
const explained = { pixels: 0.6, rest: 0.5 } as const

/** Of the pixels that don't differ, one in so many is compared, and the factor by which they can differ more when shifted. */
const atRest = { every: 4, worse: 1.1 } as const

/**
 * Whether the camera was moved between two frames: whether one of them is the other, shifted as a whole.
 *
 * The shift is estimated from the column sums and the row sums separately (integral projections: K. Ratakonda,
 * "Real-time digital video stabilization for multi-media applications", ISCAS (1998)), and then refined on the frames
 * themselves, by half pixels. An object moving in front of a still camera is not explained by any shift of the
 * previous frame.
 *
 * @param differs 1 where the two frames are known to differ
 */
export function isCameraMoved(before: Float32Array, now: Float32Array, differs: Uint8Array): boolean {
  const [from, to, scratch] = [new Float32Array(gray.size), new Float32Array(gray.size), new Float32Array(gray.size)]
  smooth(before, from, scratch)
  smooth(now, to, scratch)
  const about = {
    x: bestShift(sums(from, 'columns'), sums(to, 'columns'), max.x),
    y: bestShift(sums(from, 'rows'), sums(to, 'rows'), max.y),
  }
  const { reach, step } = refinement
  for (let x = about.x - reach; x <= about.x + reach; x += step) {
    for (let y = about.y - reach; y <= about.y + reach; y += step) {
      if ((x !== 0 || y !== 0) && explains(from, to, differs, x, y)) return true
    }
  }
  return false
}

function sums(frame: Float32Array, of: 'columns' | 'rows'): Float32Array {
  const all = new Float32Array(of === 'columns' ? width : height)
  for (let i = 0; i < frame.length; i++) {
    const x = i % width
    all[of === 'columns' ? x : (i - x) / width]! += frame[i]!
  }
  return all
}

/** The shift from the first to the second at which their slopes differ least. */
function bestShift(before: Float32Array, now: Float32Array, max: number): number {
  let best = { shift: 0, difference: Infinity }
  for (let shift = -max; shift <= max; shift++) {
    let difference = 0
    let count = 0
    for (let i = Math.max(1, 1 + shift); i < Math.min(now.length, now.length + shift); i++) {
      const was = before[i - shift]! - before[i - shift - 1]!
      difference += Math.abs(now[i]! - now[i - 1]! - was)
      count++
    }
    difference /= count
    if (difference < best.difference) best = { shift, difference }
  }
  return best.shift
}

/** Whether most differences disappear, and the rest gets no worse, if the first is shifted right and down. */
function explains(before: Float32Array, now: Float32Array, differs: Uint8Array, right: number, down: number): boolean {
  const [x0, y0] = [Math.ceil(right), Math.ceil(down)]
  const [u, v] = [x0 - right, y0 - down]
  let [requested, solved, still, shifted] = [0, 0, 0, 0]
  for (let y = max.y + 2; y < height - max.y - 2; y++) {
    for (let x = max.x + 2; x < width - max.x - 2; x++) {
      const i = y * width + x
      if (differs[i] === 0 && (x + y) % atRest.every !== 0) continue
      const j = (y - y0) * width + x - x0
      const above = (1 - u) * before[j]! + u * before[j + 1]!
      const below = (1 - u) * before[j + width]! + u * before[j + width + 1]!
      const [was, is] = [Math.abs(now[i]! - before[i]!), Math.abs(now[i]! - (1 - v) * above - v * below)]
      if (differs[i] === 0) {
        still += was
        shifted += is
        continue
      }
      requested++
      if (is < was * explained.rest) solved++
    }
  }
  return requested > 0 && solved >= explained.pixels * requested && shifted <= atRest.worse * still
}
