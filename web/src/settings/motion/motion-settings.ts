/** Distance from the left and from the top, as shares of the frame. */
export type Point = readonly [x: number, y: number]

/** The motion settings of a camera that its page can change. */
export interface MotionSettings {
  readonly enabled: boolean
  readonly sensitivity: 'low' | 'medium' | 'high'
  /** Areas of the frame that motion detection ignores. */
  readonly masks: readonly (readonly Point[])[]
}

export const sameMotion = (one: MotionSettings, other: MotionSettings): boolean =>
  one.enabled === other.enabled && one.sensitivity === other.sensitivity && samePoints(one.masks, other.masks)

/** Compares the points of one mask, or of several. */
export const samePoints = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
