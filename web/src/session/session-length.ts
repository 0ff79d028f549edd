const key = 'gatehouse-session-length'

/** Keeps how long the session just begun lasts, in milliseconds, for pages opened later. */
export function rememberLength(milliseconds: number): void {
  try {
    localStorage.setItem(key, String(milliseconds))
  } catch {
    // Not kept, not known: the page then asks at its usual pace.
  }
}

/** Milliseconds; undefined where no login here told. */
export function knownLength(): number | undefined {
  try {
    const kept = Number(localStorage.getItem(key) ?? Number.NaN)
    return Number.isFinite(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds between two requests, at most. */
const max = 60_000
/** Milliseconds; however short a session is, no more often. */
const min = 1000

/**
 * Milliseconds between two requests that keep a session alive: any request past half of its length renews it [TOK-5], so
 * there are two in that half.
 *
 * @param length of a session, milliseconds; undefined where it is not known, 0 for one without an end
 */
export const renewalInterval = (length: number | undefined): number =>
  length === undefined || length <= 0 ? max : Math.max(min, Math.min(max, length / 5))
