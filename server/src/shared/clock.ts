/** Time is a part that is handed in, so that tests can move it. */
export interface Clock {
  /** Wall time, Unix milliseconds. It may jump. */
  now(): number
  /** Milliseconds since some fixed moment; never jumps, so intervals are measured with it. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** Unix seconds, whole, rounded down: the unit of JWT times. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
