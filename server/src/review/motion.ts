/** What a camera's detector says of one picture it looked at: some one to five a second, by the camera. */
export interface MotionSample {
  /** Unix milliseconds at which the picture was taken. */
  readonly at: number
  /** Percent of the picture, without its masked parts, that moves; 0 where it is still. */
  readonly percent: number
  /** Whether something is on its way: it begins later and ends later than `percent`, which may be 0 in between. */
  readonly moving: boolean
  /** What moves, as shares of the picture from its top left; null where nothing does. */
  readonly box: MotionBox | null
}

export interface MotionBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Hears every picture in the order of its time. Where a camera or its detector ends amid motion, the last one is still. */
export type OnMotion = (camera: string, motion: MotionSample) => void
