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

/** Milliseconds between two askings, at most, and where nobody told how long a session lasts. */
const usual = 600_000
/** Milliseconds; however short a session is, ask no oftener. */
const least = 2000

/** Milliseconds until to ask again: half of a session's length. undefined for a session of no length. */
export function askEvery(length: number | undefined): number | undefined {
  if (length === undefined) return usual
  return length <= 0 ? undefined : Math.max(least, Math.min(usual, length / 2))
}
