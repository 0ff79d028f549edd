import { again, type Thing } from './drawing.ts'
import type { Piece } from './pieces.ts'

export interface Scene {
  readonly backdrop: string
  /** From back to front: the still background, then the moving things. */
  readonly stands: readonly Thing[]
  readonly moves: readonly Thing[]
  /** An expression of `t`. */
  readonly audio: string
  /** The order of the pieces and their repetitions; then everything repeats. */
  readonly story: readonly (readonly [Piece, number])[]
}

/** Seconds that are drawn. */
const drawnSeconds = ({ story }: Scene): number => Math.max(...story.map(([{ to }]) => to))

/** The pieces of the drawing in the order shown; then everything repeats. */
export const shownOf = ({ story }: Scene): readonly Piece[] =>
  story.flatMap(([piece, times]) => Array.from({ length: times }, () => piece))

/** A graph with things laid over it. */
const on = (below: string, things: readonly Thing[]): string =>
  things.reduce(
    (graph, { name, x, y }) => `${graph}[under-${name}];[under-${name}][${name}]overlay=x='${x}':y='${y}':eval=frame`,
    below,
  )

/** The drawing as one ffmpeg filter graph, with the video at `[v]`. Draws no text: that would need a font. */
export function graphOf(scene: Scene): string {
  const { backdrop, stands, moves } = scene
  const drawn = [
    ...stands.map(({ name, graph }) => `${graph}[${name}]`),
    ...moves.map(({ name, graph }) => `${graph},${again}[${name}]`),
  ]
  const still = `${on(backdrop, stands)},${again}`
  return [...drawn, `${on(still, moves)},trim=duration=${drawnSeconds(scene)},format=yuv420p[v]`].join(';')
}

/** Samples per second. 125 AAC frames then last exactly one beat, so that audio and video are cut together. */
const audioRate = 32_000
export const audioFrames = (scene: Scene): number => (drawnSeconds(scene) * audioRate) / 1024

/** The audio of the drawing as one ffmpeg source. */
export const audioOf = (scene: Scene): string =>
  `aevalsrc=exprs='${scene.audio}':s=${audioRate}:d=${drawnSeconds(scene) + 1}`
