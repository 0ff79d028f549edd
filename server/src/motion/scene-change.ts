import type { GrayFrame } from '../media/ffmpeg/gray-frames.ts'
import { isCameraMoved } from './displacement.ts'
import { gray } from './gray.ts'
import { lightBetween } from './light.ts'
import { isMoving, absorbLight, isLight } from './moving-region.ts'
import { regionsOf, type Region } from './regions.ts'
import { firstRestlessness, type Area, type Scene } from './scene.ts'
import { smooth } from './smooth.ts'

/** How the background follows the scene (Σ-Δ): gray levels per second, unless noted. */
const following = {
  rate: 1.5,
  /** Where the scene differs: an object that stays becomes background slowly. */
  rateCovered: 0.3,
  /** Factor of `rate` while the scene is learned. */
  learning: 6,
  /** Seconds: of a longer time between two frames, the background follows no more than this. */
  maxStep: 4,
} as const

/** How the usual variation of a pixel is learned (Σ-Δ): gray levels per second, unless noted. */
const variation = {
  rise: 2,
  /** Factor of `rise` in a new scene, so that constant motion such as swaying trees is learned soon. */
  inNewScene: 3,
  /** Share of `rise` by which it falls: trees stand still between two gusts. */
  fall: 1 / 4,
  /** Factor by which a change must exceed it. */
  exceed: 3,
  /** Gray levels. */
  max: 90,
  /** Share of it by which a pixel must differ from a recent frame. */
  recent: 0.7,
} as const

/** Noise of the whole frame: the least, in gray levels, and the multiple of it by which a smoothed pixel must differ. */
const noise = { min: 0.5, exceed: 1.1 } as const

/** A moving object differs from a frame of this age, in seconds. Up to so many frames are kept. */
const earlier = { seconds: 0.75, maxFrames: 9 } as const

/** Mean change of the light of the whole frame that is a switch and no cloud: gray levels, and gray levels per second. */
const sudden = { light: 12, lightPerSecond: 9 } as const

/** Seconds without a result: for a new scene, and after a sudden change. */
const unsure = { newScene: 2, suddenChange: 1.2 } as const

/** Seconds: after a longer gap the scene is new again, and for how long it is. */
const newScene = { after: 60, lasting: 30 } as const

/** Fractions of the frame. */
const shares = {
  /** If this much more differs than in the frame before, the light or the camera changed. */
  sudden: 0.3,
  /** If this much more differs, the detector checks whether the camera was moved. */
  bumped: 0.015,
} as const

/**
 * Many small regions are weather: each region of at least `minPixels` beyond `allowed` raises the thresholds by `raises`.
 * The number falls to what a frame shows within about `memory` seconds, and rises `rise` times as fast.
 */
const clutter = { allowed: 4, raises: 1 / 5, minPixels: 3, memory: 10, rise: 4 } as const

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
  if (since > newScene.after || since < 0) {
    scene.restlessness.fill(firstRestlessness)
    const newUntil = at + newScene.lasting * 1000
    return { memory: { ...learned(scene, memory, at, unsure.newScene), newUntil }, observation: { kind: 'new-scene' } }
  }
  const min = removeLight(scene, area)
  const { covered, shift } = markCovered(scene, area, min)
  const more = covered - memory.covered
  const isBright = shift / gray.size > Math.max(sudden.light, sudden.lightPerSecond * since)
  const isMoved = (): boolean =>
    more > shares.bumped * area.openCount && isCameraMoved(scene.lit, scene.now, scene.covered)
  if (isBright || more > shares.sudden * area.openCount || isMoved()) {
    const next = { ...learned(scene, memory, at, unsure.suddenChange), covered: 0 }
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
  return Math.max(thresholds.contrast, noise.exceed * Math.max(noise.min, spread))
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
        ...memory.before.filter((each) => at - each.at < 2 * earlier.seconds * 1000).slice(1 - earlier.maxFrames),
        { at, differs: Float32Array.from(scene.differs) },
      ],
      unsureFrames: memory.unsureFrames + 1,
      pieces,
    },
    observation: { kind: 'regions', since, regions: kept, sure },
  }
}

function markChanged({ differs, restlessness, changed }: Scene, { before }: Memory, { at, min }: Moment): void {
  const recent = before.findLast((each) => at - each.at >= earlier.seconds * 1000) ?? before[0]
  for (let i = 0; i < gray.size; i++) {
    const limit = Math.max(min, variation.recent * restlessness[i]!)
    changed[i] = recent && Math.abs(differs[i]! - recent.differs[i]!) > limit ? 1 : 0
  }
}

/** The count rises immediately and falls slowly: rain does not stop for one frame. */
function piecesAfter(before: number, regions: readonly Region[], since: number): number {
  const small = regions.filter(({ pixels }) => pixels.length >= clutter.minPixels).length
  const weight = Math.min(1, since / clutter.memory)
  return before + (small - before) * (small > before ? Math.min(1, weight * clutter.rise) : weight)
}

/** Moves the background and the usual variation of each pixel toward the frame. */
function follow(
  { now, background, lit, differs, restlessness, covered }: Scene,
  { sure, since, isNew }: { readonly sure: boolean; readonly since: number; readonly isNew: boolean },
): void {
  const seconds = Math.min(since, following.maxStep)
  const step = following.rate * (sure ? 1 : following.learning) * seconds
  const stepCovered = sure ? following.rateCovered * seconds : step
  const rise = variation.rise * seconds * (isNew ? variation.inNewScene : 1)
  for (let i = 0; i < gray.size; i++) {
    const max = covered[i] === 1 ? stepCovered : step
    background[i] = lit[i]! + Math.max(-max, Math.min(max, now[i]! - lit[i]!))
    const requested = Math.min(variation.max, variation.exceed * Math.abs(differs[i]!))
    restlessness[i]! += Math.max(-rise * variation.fall, Math.min(rise, requested - restlessness[i]!))
  }
}
