const key = 'gatehouse-sound'

/**
 * Whether to start with audio: it was on last time, and the user has touched this page since it was opened.
 * Without a touch, browsers refuse to play a video with audio at all.
 */
export function beginsWithAudio(): boolean {
  try {
    return localStorage.getItem(key) === 'on' && navigator.userActivation.hasBeenActive
  } catch {
    // The browser has no storage, or does not report touches.
    return false
  }
}

/** Stores the choice in this browser. Call it only for a choice the user made. */
export function rememberAudio(on: boolean): void {
  try {
    localStorage.setItem(key, on ? 'on' : 'off')
  } catch {
    // Without storage, the choice lasts for this visit only.
  }
}
