import { expect, test } from 'vitest'
import { scene, small, type Scene, type SceneDeps } from '../../test/support/motion-scenes.ts'
import { isCameraMoved } from './displacement.ts'

const frame = ({ draw }: Scene, time: number): Float32Array => Float32Array.from(small(draw(time), 0).pixels)

/** The same place at two moments, and where the two differ. */
function requested(deps: Partial<SceneDeps>): boolean {
  const drawn = scene({ name: 'asked', seconds: 2, ...deps })
  const [before, now] = [frame(drawn, 0), frame(drawn, 1)]
  return isCameraMoved(
    before,
    now,
    Uint8Array.from(now, (is, i) => (Math.abs(is - before[i]!) > 9 ? 1 : 0)),
  )
}

// Two of its pixels are one of those that are looked at.
test.each([
  [8, 0],
  [0, -6],
  [5, 3],
  [-22, 9],
])('a camera that was knocked is found out: %d to the right, %d down', (right, down) => {
  expect(requested({ aim: (time) => (time < 1 ? [0, 0] : [right, down]) })).toBe(true)
})

test('by night, too', () => {
  const night = { noise: 7, change: (value: number) => 15 + value * 0.4 }
  expect(requested({ ...night, aim: (time) => (time < 1 ? [0, 0] : [9, 4]) })).toBe(true)
})

test.each([0.2, 0.45, 0.7])('a person of %d of the height is not a moved camera', (size) => {
  const walk = { from: 1, to: 2, size, feet: 0.9, x: 0.4, speed: 0.1, gray: 40 }
  expect(requested({ walks: [walk] })).toBe(false)
})

test('noise, light and leaves are not the camera', () => {
  expect(requested({ noise: 12 })).toBe(false)
  expect(requested({ light: (time, x) => (time < 1 ? 1 : 1 - 0.5 * x) })).toBe(false)
  expect(requested({ foliage: 3 })).toBe(false)
})
