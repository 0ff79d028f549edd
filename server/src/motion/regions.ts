import { gray } from './gray.ts'

/** Connected pixels. */
export interface Region {
  /** Indexes of its pixels in the frame. */
  readonly pixels: readonly number[]
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Gap allowed between two parts of one object, pixels: the middle of a body can look like its background. */
const reach = 2

/** Groups the set pixels into regions: neighbors, and neighbors across a small gap. */
export function regionsOf(set: Uint8Array): Region[] {
  const { width, height } = gray
  const left = Uint8Array.from(set)
  const regions: Region[] = []
  const queue: number[] = []
  for (let start = 0; start < left.length; start++) {
    if (left[start] === 0) continue
    left[start] = 0
    queue.push(start)
    const pixels: number[] = []
    const box = { left: Infinity, top: Infinity, right: 0, bottom: 0 }
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      pixels.push(next)
      const x = next % width
      const y = (next - x) / width
      box.left = Math.min(box.left, x)
      box.top = Math.min(box.top, y)
      box.right = Math.max(box.right, x)
      box.bottom = Math.max(box.bottom, y)
      for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++) {
        for (let column = Math.max(0, x - reach); column <= Math.min(width - 1, x + reach); column++) {
          const there = row * width + column
          if (left[there] === 0) continue
          left[there] = 0
          queue.push(there)
        }
      }
    }
    regions.push({ pixels, ...box })
  }
  return regions
}
