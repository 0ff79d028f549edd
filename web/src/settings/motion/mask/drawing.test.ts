import { describe, expect, test } from 'vitest'
import {
  areaOf,
  begin,
  drawingOf,
  rebaseDrawing,
  finish,
  moveTo,
  place,
  split,
  revert,
  withoutPoint,
  withoutMask,
  type Drawing,
} from './drawing.ts'
import { wayOf } from './keys.ts'
import type { Point } from '../motion-settings.ts'

const square: readonly Point[] = [
  [0.2, 0.2],
  [0.4, 0.2],
  [0.4, 0.4],
  [0.2, 0.4],
]
const triangle: readonly Point[] = [
  [0.6, 0.6],
  [0.8, 0.6],
  [0.7, 0.8],
]
const pointsOf = ({ masks }: Drawing) => masks.map(({ points }) => points)

describe('drawing', () => {
  test('a mask can be finished with three points, not with two', () => {
    const two = triangle.slice(0, 2).reduce(place, begin(drawingOf([square])))
    expect(finish(two)).toBe(two)
    const whole = finish(place(two, [0.7, 1.2]))
    expect(whole.begun).toBeUndefined()
    expect(pointsOf(whole)).toEqual([
      square,
      [
        [0.6, 0.6],
        [0.8, 0.6],
        [0.7, 1],
      ],
    ])
    expect(whole.chosen).toEqual({ mask: 1, point: 'all' })
  })

  test('a point stays inside the frame and is rounded to a thousandth', () => {
    const moved = moveTo(drawingOf([square]), { mask: 0, point: 2 }, [1.5, 0.12345])
    expect(moved.masks[0]?.points[2]).toEqual([1, 0.123])
  })

  test('a moved mask keeps its shape and stops at the edge', () => {
    const moved = moveTo(drawingOf([square]), { mask: 0, point: 'all' }, [0, 0.5])
    expect(pointsOf(moved)).toEqual([
      [
        [0, 0.4],
        [0.2, 0.4],
        [0.2, 0.6],
        [0, 0.6],
      ],
    ])
    expect(areaOf(moved.masks[0]?.points ?? [])).toBeCloseTo(0.04)
  })

  test('a side, even the last one, is split at its middle', () => {
    expect(split(drawingOf([square]), { mask: 0, point: 0 }).masks[0]?.points[1]).toEqual([0.3, 0.2])
    const last = split(drawingOf([square]), { mask: 0, point: 3 })
    expect(last.masks[0]?.points[4]).toEqual([0.2, 0.3])
    expect(last.chosen).toEqual({ mask: 0, point: 4 })
  })

  test('a point can be deleted, but not one of the last three', () => {
    const drawing = drawingOf([square, triangle])
    expect(withoutPoint(drawing, { mask: 0, point: 3 })).toMatchObject({ chosen: { mask: 0, point: 2 } })
    expect(withoutPoint(drawing, { mask: 1, point: 0 })).toBe(drawing)
  })

  test('every step can be undone, a drag as one step', () => {
    const start = drawingOf([square, triangle])
    const dragged = moveTo(moveTo(start, { mask: 0, point: 0 }, [0.1, 0.1]), { mask: 0, point: 0 }, [0.15, 0.1], true)
    const deleted = withoutMask(dragged, 1)
    expect(pointsOf(revert(deleted))).toEqual(pointsOf(dragged))
    expect(pointsOf(revert(revert(deleted)))).toEqual([square, triangle])
  })

  test('rebased on another file, masks that exist there keep their identity and others are new', () => {
    const drawing = withoutMask(drawingOf([square, triangle]), 0)
    expect(rebaseDrawing(drawing, [triangle]).masks).toEqual([{ id: 0, points: triangle }])
    expect(rebaseDrawing(drawing, [square]).masks).toEqual([{ id: 2, points: triangle }])
  })
})

test('arrow keys move a little, and farther with Shift', () => {
  expect(wayOf({ key: 'ArrowLeft', shiftKey: false }, [0.5, 0.5])).toEqual([0.495, 0.5])
  expect(wayOf({ key: 'ArrowDown', shiftKey: true }, [0.5, 0.5])).toEqual([0.5, 0.55])
  expect(wayOf({ key: 'constructor', shiftKey: false }, [0.5, 0.5])).toBeUndefined()
})
