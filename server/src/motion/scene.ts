import { gray } from './gray.ts'
import { buildMask, type Polygon } from './mask.ts'
import { thresholdsOf, type Sensitivity, type Thresholds } from './sensitivity.ts'

/** Where motion is detected, and from which change on. */
export interface Area {
  readonly thresholds: Thresholds
  /** 1 for each pixel outside of the masks. */
  readonly open: Uint8Array
  /** At least 1. */
  readonly openCount: number
}

/** The learned scene and the working memory for one frame, one value per pixel. Every frame overwrites the same arrays. */
export interface Scene {
  readonly now: Float32Array
  readonly background: Float32Array
  readonly restlessness: Float32Array
  readonly rest: Float32Array
  /** Difference from the background in the present light, smoothed. */
  readonly differs: Float32Array
  readonly scratch: Float32Array
  /** The background in the present light. */
  readonly lit: Float32Array
  readonly backgroundDetail: Float32Array
  readonly nowDetail: Float32Array
  /** 1 for each pixel that differs from the background. */
  readonly covered: Uint8Array
  /** 1 for each pixel that differs from a recent frame. */
  readonly changed: Uint8Array
}

/** Gray levels by which a pixel of an unknown scene must change. */
export const firstRestlessness = 6

const make = (): Float32Array => new Float32Array(gray.size)

export const createScene = (): Scene => ({
  now: make(),
  background: make(),
  restlessness: make().fill(firstRestlessness),
  rest: make(),
  differs: make(),
  scratch: make(),
  lit: make(),
  backgroundDetail: make(),
  nowDetail: make(),
  covered: new Uint8Array(gray.size),
  changed: new Uint8Array(gray.size),
})

export function areaOf(sensitivity: Sensitivity, masks: readonly Polygon[]): Area {
  const open = buildMask(masks)
  const openCount = Math.max(
    1,
    open.reduce((sum, each) => sum + each, 0),
  )
  return { thresholds: thresholdsOf[sensitivity], open, openCount }
}
