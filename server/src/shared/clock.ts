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

/** Of a time in seconds as somebody wrote it. The rounding takes away what floating point added: 0.001 s is 1 ms. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e3

/** Unix seconds, whole, rounded down: the unit of JWT times. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
