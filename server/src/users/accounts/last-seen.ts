/**
 * Milliseconds by which the clock of another instance can be ahead. A time that is further in the future was written
 * before the clock was set back.
 */
export const clockTolerance = 5 * 60_000

/**
 * The last activity, of what is stored and what was seen since, Unix milliseconds: the later of both, because another
 * instance may have stored later activity. After the clock was set back, what was seen replaces a stored time in the
 * future.
 */
export const lastSeen = (stored: number, seen: number, now: number): number =>
  seen > stored || stored > now + clockTolerance ? seen : stored
