import { again, type Thing } from './drawing.ts'
import type { Piece } from './pieces.ts'

export interface Scene {
  readonly backdrop: string
  /** From the back to the front: what never moves, and before it what does. */
  readonly stands: readonly Thing[]
  readonly moves: readonly Thing[]
  /** An expression of `t`. */
  readonly sound: string
  /** What is shown after what, and how often; then all over again. */
  readonly story: readonly (readonly [Piece, number])[]
}

/** Seconds that are drawn. */
const drawnSeconds = ({ story }: Scene): number => Math.max(...story.map(([{ to }]) => to))

/** What is shown of the drawing, piece after piece; then all over again. */
export const shownOf = ({ story }: Scene): readonly Piece[] =>
  story.flatMap(([piece, times]) => Array.from({ length: times }, () => piece))

/** A graph with things laid over it. */
const on = (below: string, things: readonly Thing[]): string =>
  things.reduce(
    (graph, { name, x, y }) => `${graph}[under-${name}];[under-${name}][${name}]overlay=x='${x}':y='${y}':eval=frame`,
    below,
  )

/** What is drawn as one filter graph of ffmpeg, with the picture at `[v]`. It draws no text: that would need a font. */
export function graphOf(scene: Scene): string {
  const { backdrop, stands, moves } = scene
  const drawn = [
    ...stands.map(({ name, graph }) => `${graph}[${name}]`),
    ...moves.map(({ name, graph }) => `${graph},${again}[${name}]`),
  ]
  const still = `${on(backdrop, stands)},${again}`
  return [...drawn, `${on(still, moves)},trim=duration=${drawnSeconds(scene)},format=yuv420p[v]`].join(';')
}

/** Samples a second. 125 frames of AAC are then just as long as a beat, so that sound is cut where the picture is. */
const soundRate = 32_000
export const soundFrames = (scene: Scene): number => (drawnSeconds(scene) * soundRate) / 1024

/** The sound of what is drawn as one source of ffmpeg. */
export const soundOf = (scene: Scene): string =>
  `aevalsrc=exprs='${scene.sound}':s=${soundRate}:d=${drawnSeconds(scene) + 1}`
