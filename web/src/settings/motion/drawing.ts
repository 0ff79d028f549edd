import { sameCorners, type Point } from './motion-settings.ts'

export interface Mask {
  /** Its place in the file, or for one that is not there yet a number of its own beyond. */
  readonly id: number
  readonly corners: readonly Point[]
}

/** What of a mask is moved: one of its corners, or all of it. */
export interface Handle {
  readonly mask: number
  readonly corner: number | 'all'
}

/** Masks, and what is being done to them. */
export interface Drawing {
  readonly masks: readonly Mask[]
  readonly chosen: Handle | undefined
  /** The corners so far of a mask that is being drawn. */
  readonly begun: readonly Point[] | undefined
  /** How it was before each step, the newest last. */
  readonly before: readonly (readonly Mask[])[]
  readonly nextId: number
}

/** An area has three corners or more. */
export const fewest = 3

/** Steps that can be taken back. */
const max = 100

export const drawingOf = (masks: readonly (readonly Point[])[]): Drawing => ({
  masks: masks.map((corners, id) => ({ id, corners })),
  chosen: undefined,
  begun: undefined,
  before: [],
  nextId: masks.length,
})

/** The same masks for a file that holds others by now: what is there as well is the same mask. */
export function drawingUpon(drawing: Drawing, file: readonly (readonly Point[])[]): Drawing {
  let nextId = Math.max(drawing.nextId, file.length)
  const taken = new Set<number>()
  const masks = drawing.masks.map(({ corners }) => {
    const found = file.findIndex((each, place) => !taken.has(place) && sameCorners(each, corners))
    const id = found === -1 ? nextId++ : found
    taken.add(id)
    return { id, corners }
  })
  return { ...drawingOf([]), masks, nextId }
}

export const choose = (drawing: Drawing, chosen: Handle | undefined): Drawing => ({ ...drawing, chosen })

export const begin = (drawing: Drawing): Drawing => ({ ...drawing, begun: [], chosen: undefined })

export const discard = (drawing: Drawing): Drawing => ({ ...drawing, begun: undefined })

export const place = (drawing: Drawing, corner: Point): Drawing => ({
  ...drawing,
  begun: [...(drawing.begun ?? []), within(corner)],
})

export const takeBackCorner = (drawing: Drawing): Drawing => ({ ...drawing, begun: drawing.begun?.slice(0, -1) ?? [] })

/** The mask that was begun becomes one; too few corners stay begun. */
export function finish(drawing: Drawing): Drawing {
  const { begun, masks, nextId } = drawing
  if (!begun || begun.length < fewest) return drawing
  const next = changed(drawing, [...masks, { id: nextId, corners: begun }])
  return { ...next, begun: undefined, nextId: nextId + 1, chosen: { mask: nextId, corner: 'all' } }
}

/** Moves what is chosen so that it lies there; of a whole mask its middle. @param goesOn part of the step before */
export function moveTo(drawing: Drawing, handle: Handle, to: Point, goesOn = false): Drawing {
  const mask = drawing.masks.find(({ id }) => id === handle.mask)
  if (!mask) return drawing
  const { corner } = handle
  const corners =
    corner === 'all'
      ? shifted(mask.corners, to)
      : mask.corners.map((each, index) => (index === corner ? within(to) : each))
  if (sameCorners(corners, mask.corners)) return drawing
  const masks = drawing.masks.map((each) => (each.id === mask.id ? { ...each, corners } : each))
  return goesOn ? { ...drawing, masks } : changed(drawing, masks)
}

/** A new corner in the middle between one and the next; it is chosen. */
export function split(drawing: Drawing, { mask: id, corner }: { mask: number; corner: number }): Drawing {
  const mask = drawing.masks.find((each) => each.id === id)
  if (!mask) return drawing
  const corners = mask.corners.toSpliced(corner + 1, 0, between(mask.corners, corner))
  const masks = drawing.masks.map((each) => (each.id === id ? { ...each, corners } : each))
  return { ...changed(drawing, masks), chosen: { mask: id, corner: corner + 1 } }
}

/** A mask keeps its last three corners. */
export function withoutCorner(drawing: Drawing, { mask: id, corner }: { mask: number; corner: number }): Drawing {
  const mask = drawing.masks.find((each) => each.id === id)
  if (!mask || mask.corners.length <= fewest) return drawing
  const corners = mask.corners.toSpliced(corner, 1)
  const masks = drawing.masks.map((each) => (each.id === id ? { ...each, corners } : each))
  return { ...changed(drawing, masks), chosen: { mask: id, corner: Math.min(corner, corners.length - 1) } }
}

export const withoutMask = (drawing: Drawing, id: number): Drawing => ({
  ...changed(
    drawing,
    drawing.masks.filter((each) => each.id !== id),
  ),
  chosen: undefined,
})

export function revert(drawing: Drawing): Drawing {
  const masks = drawing.before.at(-1)
  if (!masks) return drawing
  const { chosen } = drawing
  const still = masks.find(({ id }) => id === chosen?.mask)
  const there = still && chosen && (chosen.corner === 'all' || chosen.corner < still.corners.length)
  return { ...drawing, masks, before: drawing.before.slice(0, -1), chosen: there ? chosen : undefined }
}

const changed = (drawing: Drawing, masks: readonly Mask[]): Drawing => ({
  ...drawing,
  masks,
  before: [...drawing.before, drawing.masks].slice(-max),
})

/** Thousandths are finer than anything that is looked at. */
const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000

const within = ([x, y]: Point): Point => [rounded(x), rounded(y)]

/** In the middle of a side, from a corner to the next. */
export function between(corners: readonly Point[], corner: number): Point {
  const [[x, y], [nextX, nextY]] = [corners[corner] ?? [0, 0], corners[(corner + 1) % corners.length] ?? [0, 0]]
  return within([(x + nextX) / 2, (y + nextY) / 2])
}

/** Where a mask is taken hold of: the middle of its corners. */
export function middleOf(corners: readonly Point[]): Point {
  const sum = (axis: 0 | 1) => corners.reduce((all, corner) => all + corner[axis], 0)
  return [sum(0) / corners.length, sum(1) / corners.length]
}

/** All corners by the same way, and no farther than one of them meets the edge. */
function shifted(corners: readonly Point[], to: Point): readonly Point[] {
  const middle = middleOf(corners)
  const way = (axis: 0 | 1): number => {
    const places = corners.map((corner) => corner[axis])
    return Math.min(1 - Math.max(...places), Math.max(-Math.min(...places), to[axis] - middle[axis]))
  }
  const [right, down] = [way(0), way(1)]
  return corners.map(([x, y]) => within([x + right, y + down]))
}

/** Share of the picture that a polygon covers, by the shoelace formula. */
export function areaOf(corners: readonly Point[]): number {
  let twice = 0
  for (const [index, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [0, 0]
    twice += x * nextY - nextX * y
  }
  return Math.abs(twice) / 2
}
