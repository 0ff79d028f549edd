import { gray } from './gray.ts'

/** Points as fractions of the frame, from its top left. */
export type Polygon = readonly (readonly number[])[]

/** 1 for an analyzed pixel, 0 if its center lies in one of the polygons. */
export function buildMask(masks: readonly Polygon[]): Uint8Array {
  const open = new Uint8Array(gray.size).fill(1)
  for (const mask of masks) {
    for (let i = 0; i < gray.size; i++) {
      const x = ((i % gray.width) + 0.5) / gray.width
      const y = (Math.floor(i / gray.width) + 0.5) / gray.height
      if (isInside(mask, x, y)) open[i] = 0
    }
  }
  return open
}

/** By the even-odd rule: a ray to the right crosses the outline an odd number of times. */
function isInside(polygon: Polygon, x: number, y: number): boolean {
  let inside = false
  let [beforeX = 0, beforeY = 0] = polygon.at(-1) ?? []
  for (const [nextX = 0, nextY = 0] of polygon) {
    const crosses = nextY > y !== beforeY > y
    if (crosses && x < ((beforeX - nextX) * (y - nextY)) / (beforeY - nextY) + nextX) inside = !inside
    beforeX = nextX
    beforeY = nextY
  }
  return inside
}
