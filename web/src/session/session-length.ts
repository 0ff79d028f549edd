const key = 'gatehouse-session-length'

/** Stores the length of the new session, in milliseconds, for pages opened later. */
export function rememberLength(milliseconds: number): void {
  try {
    localStorage.setItem(key, String(milliseconds))
  } catch {
    // Unknown then: the page uses the default interval.
  }
}

/** Milliseconds; undefined if no login in this browser stored it. */
export function knownLength(): number | undefined {
  try {
    const kept = Number(localStorage.getItem(key) ?? Number.NaN)
    return Number.isFinite(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Longest interval between two requests, in milliseconds. */
const max = 60_000
/** Shortest interval, in milliseconds, however short the session. */
const min = 1000

/**
 * Milliseconds between two requests that keep a session alive. Any request in the second half of its length renews it
 * [TOK-5], so two are sent in that half.
 *
 * @param length session length in milliseconds; undefined if unknown, 0 if it never expires
 */
export const renewalInterval = (length: number | undefined): number =>
  length === undefined || length <= 0 ? max : Math.max(min, Math.min(max, length / 5))
