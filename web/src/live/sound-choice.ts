const key = 'gatehouse-sound'

/**
 * Whether to begin with sound: it was wanted last time, and somebody has touched this page since it was opened.
 * Without a touch browsers refuse to play what is to be heard, picture and all.
 */
export function beginsWithSound(): boolean {
  try {
    return localStorage.getItem(key) === 'on' && navigator.userActivation.hasBeenActive
  } catch {
    // A browser that keeps nothing, or does not know of touches.
    return false
  }
}

/** Kept in this browser; only what somebody chose by hand. */
export function rememberSound(on: boolean): void {
  try {
    localStorage.setItem(key, on ? 'on' : 'off')
  } catch {
    // Then it is asked for again next time.
  }
}
