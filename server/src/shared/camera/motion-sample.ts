/** Result of motion detection for one frame: about one to five per second, depending on the camera. */
export interface MotionSample {
  /** Time of the frame, Unix milliseconds. */
  readonly at: number
  /** Percent of the unmasked part of the frame that moves; 0 if nothing does. */
  readonly percent: number
  /** Whether something is moving. Starts and ends later than `percent`, which can be 0 in between. */
  readonly moving: boolean
  /** Box around the motion, as fractions of the frame from its top left; null if nothing moves. */
  readonly box: MotionBox | null
}

export interface MotionBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Receives a camera's samples in time order. If a camera or its detector stops during motion, a last sample without motion follows. */
export type OnMotion = (camera: string, motion: MotionSample) => void
