/** How far from the left and from the top, as shares of the picture. */
export type Point = readonly [x: number, y: number]

/** What is looked for at one camera, as far as it is set on its page. */
export interface MotionSettings {
  readonly enabled: boolean
  readonly sensitivity: 'low' | 'medium' | 'high'
  /** Parts of the picture that are not looked at. */
  readonly masks: readonly (readonly Point[])[]
}

export const sameMotion = (one: MotionSettings, other: MotionSettings): boolean =>
  one.enabled === other.enabled && one.sensitivity === other.sensitivity && sameCorners(one.masks, other.masks)

/** Of one mask, or of several. */
export const sameCorners = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
