import type { GrayFrame } from '../media/ffmpeg/small-pictures.ts'
import { isCameraMoved } from './displacement.ts'
import { gray } from './gray.ts'
import { lightBetween } from './light.ts'
import { isMoving, absorbLight, isLight } from './moving-region.ts'
import { regionsOf, type Region } from './regions.ts'
import { firstRestlessness, type Area, type Scene } from './scene.ts'
import { smooth } from './smooth.ts'

/** Seconds and gray levels; rates are per second. */
const usual = {
  /** Σ-Δ: how fast the background follows the scene. */
  follow: 1.5,
  followCovered: 0.3,
  /** Σ-Δ: how fast the usual variation of a pixel is learned, and the factor by which a change must exceed it. */
  restless: 2,
  exceed: 3,
  maxRestlessness: 90,
  /** Multiple of the smoothed noise of the whole frame. */
  noise: 2.2,
  /** A moving object differs from a frame of this age. */
  earlier: 0.75,
  /** Change of the light of the whole frame, immediately or within a second: a switch, not a cloud. */
  suddenLight: 12,
  fastLight: 9,
  learn: 2,
  settle: 1.2,
  /** After a longer gap, the scene is learned again. */
  forget: 60,
  /** For this long after that, constant motion such as swaying trees is learned fast. */
  newFor: 30,
} as const

/** Fractions of the frame. */
const shares = {
  /** If this much more differs than in the frame before, the light or the camera changed. */
  sudden: 0.3,
  /** If this much more differs, the detector checks whether the camera was moved. */
  bumped: 0.015,
} as const

/** Many small regions are weather: each region beyond `allowed` raises the thresholds by `raises`. */
const clutter = { allowed: 4, raises: 1 / 5, minPixels: 3, memory: 10 } as const

/** What is known from earlier frames besides the scene. */
export interface Memory {
  /** Unix milliseconds; undefined before the first frame. */
  readonly lastAt: number | undefined
  /** Frames of the last second or so, each without its light. */
  readonly before: readonly { readonly at: number; readonly differs: Float32Array }[]
  /** Unix milliseconds until which there is no result, and the number of frames since that was decided. */
  readonly unsureUntil: number
  readonly unsureFrames: number
  /** Number of covered pixels of the frame before. */
  readonly covered: number
  /** Unix milliseconds until which variation is learned fast. */
  readonly newUntil: number
  /** Recent number of regions per frame. */
  readonly pieces: number
}

/** What a frame shows. `since`: seconds since the frame before. */
export type Observation =
  /** The first frame, or the first after a long gap. */
  | { readonly kind: 'new-scene' }
  /** The light or the camera changed. */
  | { readonly kind: 'sudden-change'; readonly since: number }
  /** `sure`: whether the scene is known, so that no region means no motion. */
  | { readonly kind: 'regions'; readonly since: number; readonly regions: readonly Region[]; readonly sure: boolean }

export const noMemory: Memory = {
  lastAt: undefined,
  before: [],
  unsureUntil: 0,
  unsureFrames: 0,
  covered: 0,
  newUntil: 0,
  pieces: 0,
}

/** Factor of the thresholds: many small regions are weather. */
export const strictnessOf = ({ pieces }: Memory): number => 1 + Math.max(0, pieces - clutter.allowed) * clutter.raises

/** Compares a frame with the scene, and learns from it. */
export function see(
  scene: Scene,
  area: Area,
  memory: Memory,
  { at, pixels }: GrayFrame,
): { readonly memory: Memory; readonly observation: Observation } {
  scene.now.set(pixels)
  const since = memory.lastAt === undefined ? Infinity : (at - memory.lastAt) / 1000
  if (since > usual.forget || since < 0) {
    scene.restlessness.fill(firstRestlessness)
    const newUntil = at + usual.newFor * 1000
    return { memory: { ...learned(scene, memory, at, usual.learn), newUntil }, observation: { kind: 'new-scene' } }
  }
  const min = removeLight(scene, area)
  const { covered, shift } = markCovered(scene, area, min)
  const more = covered - memory.covered
  const isBright = shift / gray.size > Math.max(usual.suddenLight, usual.fastLight * since)
  const isMoved = (): boolean =>
    more > shares.bumped * area.openCount && isCameraMoved(scene.lit, scene.now, scene.covered)
  if (isBright || more > shares.sudden * area.openCount || isMoved()) {
    const next = { ...learned(scene, memory, at, usual.settle), covered: 0 }
    return { memory: next, observation: { kind: 'sudden-change', since } }
  }
  return findRegions(scene, area, { ...memory, covered }, { at, since, min })
}

/** Takes the frame as the new background. @param seconds without a result */
function learned(scene: Scene, memory: Memory, at: number, seconds: number): Memory {
  scene.background.set(scene.now)
  return { ...memory, lastAt: at, before: [], unsureUntil: at + seconds * 1000, unsureFrames: 1 }
}

/** Removes the light of the whole frame. @returns the minimum difference of a pixel that counts */
function removeLight({ now, background, lit, rest, differs, scratch }: Scene, { open, thresholds }: Area): number {
  const { gain, offset, spread } = lightBetween(background, now, open)
  for (let i = 0; i < gray.size; i++) {
    const there = gain * background[i]! + offset
    lit[i] = there
    rest[i] = now[i]! - there
  }
  smooth(rest, differs, scratch)
  const noise = Math.max(0.5, spread) * usual.noise * 0.5
  return Math.max(thresholds.contrast, noise)
}

/** @returns the number of covered pixels, and the change of light summed over all pixels */
function markCovered(
  { lit, background, differs, restlessness, covered }: Scene,
  { open }: Area,
  min: number,
): { readonly covered: number; readonly shift: number } {
  let count = 0
  let shift = 0
  for (let i = 0; i < gray.size; i++) {
    shift += Math.abs(lit[i]! - background[i]!)
    const is = open[i] === 1 && Math.abs(differs[i]!) > Math.max(min, restlessness[i]!)
    covered[i] = is ? 1 : 0
    if (is) count++
  }
  return { covered: count, shift }
}

/** `since`: seconds since the frame before. `min`: minimum difference of a pixel that counts. */
interface Moment {
  readonly at: number
  readonly since: number
  readonly min: number
}

function findRegions(
  scene: Scene,
  area: Area,
  memory: Memory,
  moment: Moment,
): { readonly memory: Memory; readonly observation: Observation } {
  const { at, since } = moment
  markChanged(scene, memory, moment)
  const sure = at >= memory.unsureUntil && memory.unsureFrames > 1
  const regions = sure ? regionsOf(scene.covered) : []
  const pieces = piecesAfter(memory.pieces, regions, since)
  const strictness = strictnessOf({ ...memory, pieces })
  const found = regions.filter((region) => isMoving(region, scene, area, strictness))
  const byLight = found.filter((region) => isLight(region, scene, area))
  for (const region of byLight) absorbLight(region, scene)
  const kept = found.filter((region) => !byLight.includes(region))
  follow(scene, { sure, since, isNew: at < memory.newUntil })
  return {
    memory: {
      ...memory,
      lastAt: at,
      before: [
        ...memory.before.filter((each) => at - each.at < usual.earlier * 2000).slice(-8),
        { at, differs: Float32Array.from(scene.differs) },
      ],
      unsureFrames: memory.unsureFrames + 1,
      pieces,
    },
    observation: { kind: 'regions', since, regions: kept, sure },
  }
}

function markChanged({ differs, restlessness, changed }: Scene, { before }: Memory, { at, min }: Moment): void {
  const earlier = before.findLast((each) => at - each.at >= usual.earlier * 1000) ?? before[0]
  for (let i = 0; i < gray.size; i++) {
    const limit = Math.max(min, 0.7 * restlessness[i]!)
    changed[i] = earlier && Math.abs(differs[i]! - earlier.differs[i]!) > limit ? 1 : 0
  }
}

/** The count rises immediately and falls slowly: rain does not stop for one frame. */
function piecesAfter(before: number, regions: readonly Region[], since: number): number {
  const small = regions.filter(({ pixels }) => pixels.length >= clutter.minPixels).length
  const weight = Math.min(1, since / clutter.memory)
  return before + (small - before) * (small > before ? Math.min(1, weight * 4) : weight)
}

/** Moves the background and the usual variation of each pixel toward the frame. */
function follow(
  { now, background, lit, differs, restlessness, covered }: Scene,
  { sure, since, isNew }: { readonly sure: boolean; readonly since: number; readonly isNew: boolean },
): void {
  const quick = sure ? 1 : 6
  const seconds = Math.min(since, 4)
  const restless = usual.restless * seconds * (isNew ? 3 : 1)
  for (let i = 0; i < gray.size; i++) {
    const is = covered[i] === 1
    const step = (is && sure ? usual.followCovered : usual.follow * quick) * seconds
    background[i] = lit[i]! + Math.max(-step, Math.min(step, now[i]! - lit[i]!))
    const requested = Math.min(usual.maxRestlessness, usual.exceed * Math.abs(differs[i]!))
    restlessness[i]! += Math.max(-restless / 4, Math.min(restless, requested - restlessness[i]!))
  }
}
