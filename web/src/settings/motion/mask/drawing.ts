import { samePoints, type Point } from '../motion-settings.ts'

export interface Mask {
  /** The mask's index in the file, or a higher number if it isn't saved yet. */
  readonly id: number
  readonly points: readonly Point[]
}

/** The part of a mask that is moved: one of its points, or all of it. */
export interface Handle {
  readonly mask: number
  readonly point: number | 'all'
}

/** The masks and the state of their editing. */
export interface Drawing {
  readonly masks: readonly Mask[]
  readonly chosen: Handle | undefined
  /** The points so far of the mask being drawn. */
  readonly begun: readonly Point[] | undefined
  /** The masks before each step, the latest last. */
  readonly before: readonly (readonly Mask[])[]
  readonly nextId: number
}

/** Minimum number of points of a mask. */
export const fewest = 3

/** Number of steps that can be undone. */
const max = 100

export const drawingOf = (masks: readonly (readonly Point[])[]): Drawing => ({
  masks: masks.map((points, id) => ({ id, points })),
  chosen: undefined,
  begun: undefined,
  before: [],
  nextId: masks.length,
})

/** Rebases the masks on a file with other masks: a mask that is in the file too takes its index as id. */
export function rebaseDrawing(drawing: Drawing, file: readonly (readonly Point[])[]): Drawing {
  let nextId = Math.max(drawing.nextId, file.length)
  const taken = new Set<number>()
  const masks = drawing.masks.map(({ points }) => {
    const found = file.findIndex((each, place) => !taken.has(place) && samePoints(each, points))
    const id = found === -1 ? nextId++ : found
    taken.add(id)
    return { id, points }
  })
  return { ...drawingOf([]), masks, nextId }
}

export const choose = (drawing: Drawing, chosen: Handle | undefined): Drawing => ({ ...drawing, chosen })

export const begin = (drawing: Drawing): Drawing => ({ ...drawing, begun: [], chosen: undefined })

export const discard = (drawing: Drawing): Drawing => ({ ...drawing, begun: undefined })

export const place = (drawing: Drawing, point: Point): Drawing => ({
  ...drawing,
  begun: [...(drawing.begun ?? []), within(point)],
})

export const removeLastPoint = (drawing: Drawing): Drawing => ({
  ...drawing,
  begun: drawing.begun?.slice(0, -1) ?? [],
})

/** Finishes the mask being drawn; does nothing if it has too few points. */
export function finish(drawing: Drawing): Drawing {
  const { begun, masks, nextId } = drawing
  if (!begun || begun.length < fewest) return drawing
  const next = changed(drawing, [...masks, { id: nextId, points: begun }])
  return { ...next, begun: undefined, nextId: nextId + 1, chosen: { mask: nextId, point: 'all' } }
}

/** Moves a point, or the middle of a whole mask, to a place. @param continues whether this continues the previous step */
export function moveTo(drawing: Drawing, handle: Handle, to: Point, continues = false): Drawing {
  const mask = drawing.masks.find(({ id }) => id === handle.mask)
  if (!mask) return drawing
  const { point } = handle
  const points =
    point === 'all' ? shifted(mask.points, to) : mask.points.map((each, index) => (index === point ? within(to) : each))
  if (samePoints(points, mask.points)) return drawing
  const masks = drawing.masks.map((each) => (each.id === mask.id ? { ...each, points } : each))
  return continues ? { ...drawing, masks } : changed(drawing, masks)
}

/** Adds a point in the middle of a side, from a point to the next, and chooses it. */
export function split(drawing: Drawing, { mask: id, point }: { mask: number; point: number }): Drawing {
  const mask = drawing.masks.find((each) => each.id === id)
  if (!mask) return drawing
  const points = mask.points.toSpliced(point + 1, 0, between(mask.points, point))
  const masks = drawing.masks.map((each) => (each.id === id ? { ...each, points } : each))
  return { ...changed(drawing, masks), chosen: { mask: id, point: point + 1 } }
}

/** Deletes a point, except from a mask with only three. */
export function withoutPoint(drawing: Drawing, { mask: id, point }: { mask: number; point: number }): Drawing {
  const mask = drawing.masks.find((each) => each.id === id)
  if (!mask || mask.points.length <= fewest) return drawing
  const points = mask.points.toSpliced(point, 1)
  const masks = drawing.masks.map((each) => (each.id === id ? { ...each, points } : each))
  return { ...changed(drawing, masks), chosen: { mask: id, point: Math.min(point, points.length - 1) } }
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
  const there = still && chosen && (chosen.point === 'all' || chosen.point < still.points.length)
  return { ...drawing, masks, before: drawing.before.slice(0, -1), chosen: there ? chosen : undefined }
}

const changed = (drawing: Drawing, masks: readonly Mask[]): Drawing => ({
  ...drawing,
  masks,
  before: [...drawing.before, drawing.masks].slice(-max),
})

/** Thousandths are finer than motion detection. */
const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000

const within = ([x, y]: Point): Point => [rounded(x), rounded(y)]

/** The middle of a side, from a point to the next. */
export function between(points: readonly Point[], point: number): Point {
  const [[x, y], [nextX, nextY]] = [points[point] ?? [0, 0], points[(point + 1) % points.length] ?? [0, 0]]
  return within([(x + nextX) / 2, (y + nextY) / 2])
}

/** The middle of a mask's points, where its handle is. */
export function middleOf(points: readonly Point[]): Point {
  const sum = (axis: 0 | 1) => points.reduce((all, point) => all + point[axis], 0)
  return [sum(0) / points.length, sum(1) / points.length]
}

/** Moves all points by the same distance, but not beyond the edge of the frame. */
function shifted(points: readonly Point[], to: Point): readonly Point[] {
  const middle = middleOf(points)
  const way = (axis: 0 | 1): number => {
    const places = points.map((point) => point[axis])
    return Math.min(1 - Math.max(...places), Math.max(-Math.min(...places), to[axis] - middle[axis]))
  }
  const [right, down] = [way(0), way(1)]
  return points.map(([x, y]) => within([x + right, y + down]))
}

/** Share of the frame that a polygon covers, by the shoelace formula. */
export function areaOf(points: readonly Point[]): number {
  let twice = 0
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [0, 0]
    twice += x * nextY - nextX * y
  }
  return Math.abs(twice) / 2
}
