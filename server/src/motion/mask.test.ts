import { expect, test } from 'vitest'
import { gray } from './gray.ts'
import { buildMask } from './mask.ts'

const at = (open: Uint8Array, x: number, y: number): number =>
  open[Math.floor(y * gray.height) * gray.width + Math.floor(x * gray.width)]!
const share = (open: Uint8Array): number => open.reduce((sum, each) => sum + each, 0) / gray.size

test('without masks everything is looked at', () => {
  expect(share(buildMask([]))).toBe(1)
})

test('a mask hides only what it covers', () => {
  const open = buildMask([
    [
      [0, 0],
      [0.25, 0],
      [0.25, 0.5],
      [0, 0.5],
    ],
  ])
  expect([at(open, 0.1, 0.1), at(open, 0.24, 0.49), at(open, 0.26, 0.1), at(open, 0.1, 0.51)]).toEqual([0, 0, 1, 1])
  expect(share(open)).toBeCloseTo(0.875, 3)
})

test('points can be listed in either direction, and masks can overlap', () => {
  const triangle = [
    [0, 0],
    [1, 0],
    [0, 1],
  ]
  expect(share(buildMask([triangle]))).toBeCloseTo(0.5, 2)
  expect(share(buildMask([triangle.toReversed(), triangle]))).toBeCloseTo(0.5, 2)
})
