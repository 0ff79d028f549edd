import { grey } from './gray.ts'
import { smooth } from './smooth.ts'

const { width, height } = grey

/** Pixels by which a picture has moved at most. */
const max = { x: 16, y: 10 } as const

/** Share of the pixels that differ which the movement has to explain: half of their difference goes with it. */
const explained = 0.6

/**
 * Whether the camera was moved between two pictures: whether one of them, moved as a whole, is the other.
 *
 * The movement is looked for in the sums of the columns and of the rows, in each for itself (integral projections:
 * K. Ratakonda, "Real-time digital video stabilization for multi-media applications", ISCAS (1998)), and then about
 * that place in the pictures themselves, by half pixels. Something that moves before a camera that stands still is
 * explained by no movement of what was there before.
 *
 * @param differs 1 where the two are known to differ
 */
export function isCameraMoved(before: Float32Array, now: Float32Array, differs: Uint8Array): boolean {
  const [from, to, scratch] = [new Float32Array(grey.size), new Float32Array(grey.size), new Float32Array(grey.size)]
  smooth(before, from, scratch)
  smooth(now, to, scratch)
  const about = {
    x: bestShift(sums(from, 'columns'), sums(to, 'columns'), max.x),
    y: bestShift(sums(from, 'rows'), sums(to, 'rows'), max.y),
  }
  for (let x = about.x - 1.5; x <= about.x + 1.5; x += 0.5) {
    for (let y = about.y - 1.5; y <= about.y + 1.5; y += 0.5) {
      if ((x !== 0 || y !== 0) && explains(from, to, differs, x, y)) return true
    }
  }
  return false
}

function sums(picture: Float32Array, of: 'columns' | 'rows'): Float32Array {
  const all = new Float32Array(of === 'columns' ? width : height)
  for (let i = 0; i < picture.length; i++) {
    const x = i % width
    all[of === 'columns' ? x : (i - x) / width]! += picture[i]!
  }
  return all
}

/** By how much the second is the first moved, where their slopes differ least. */
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

/** Whether most of what differs is as it was, and the rest no worse, once the first is moved to the right and down. */
function explains(before: Float32Array, now: Float32Array, differs: Uint8Array, right: number, down: number): boolean {
  const [x0, y0] = [Math.ceil(right), Math.ceil(down)]
  const [u, v] = [x0 - right, y0 - down]
  let [requested, solved, atRest, moved] = [0, 0, 0, 0]
  for (let y = max.y + 2; y < height - max.y - 2; y++) {
    for (let x = max.x + 2; x < width - max.x - 2; x++) {
      const i = y * width + x
      if (differs[i] === 0 && (x + y) % 4 !== 0) continue
      const j = (y - y0) * width + x - x0
      const above = (1 - u) * before[j]! + u * before[j + 1]!
      const below = (1 - u) * before[j + width]! + u * before[j + width + 1]!
      const [was, is] = [Math.abs(now[i]! - before[i]!), Math.abs(now[i]! - (1 - v) * above - v * below)]
      if (differs[i] === 0) {
        atRest += was
        moved += is
        continue
      }
      requested++
      if (is < was / 2) solved++
    }
  }
  return requested > 0 && solved >= explained * requested && moved <= 1.1 * atRest
}
