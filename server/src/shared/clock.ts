/** Time is a dependency, so that tests can control it. */
export interface Clock {
  /** Wall time, Unix milliseconds. Can jump. */
  now(): number
  /** Milliseconds since a fixed time. Never jumps, so use this for intervals. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** Converts seconds from a request to milliseconds. The rounding removes floating-point errors: 0.001 s is 1 ms. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e3

/** Unix seconds, whole, rounded down: the unit of JWT times. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
