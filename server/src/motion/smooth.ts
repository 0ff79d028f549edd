import { gray } from './gray.ts'

const { width, height } = gray

/** The mean of each pixel and its eight neighbors; missing neighbors at the border repeat the border. */
export function smooth(from: Float32Array, into: Float32Array, scratch: Float32Array): void {
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x < width; x++) {
      const i = row + x
      const before = x === 0 ? from[i]! : from[i - 1]!
      const after = x === width - 1 ? from[i]! : from[i + 1]!
      scratch[i] = before + from[i]! + after
    }
  }
  for (let y = 0; y < height; y++) {
    const row = y * width
    const above = y === 0 ? row : row - width
    const below = y === height - 1 ? row : row + width
    for (let x = 0; x < width; x++) into[row + x] = (scratch[above + x]! + scratch[row + x]! + scratch[below + x]!) / 9
  }
}
