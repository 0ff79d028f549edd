import type { Random } from '../random.ts'

export interface Backoff {
  /** Milliseconds to wait after the first failure; `max` is the longest wait. */
  readonly first: number
  readonly max: number
}

/** Milliseconds to wait after a number of consecutive failures: doubles each time, minus a random part up to a quarter, so that retries spread out. */
export function waitAfter(failures: number, { first, max }: Backoff, random: Random): number {
  const whole = Math.min(max, first * 2 ** Math.min(failures - 1, 30))
  return whole * (1 - ((random.bytes(1)[0] ?? 0) / 255) * 0.25)
}
