const key = 'gatehouse-character-keys'

/** Whether single-character shortcuts are on. People who use speech input can turn them off. */
export function characterKeysAct(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

/** Stored in this browser. */
export function letCharacterKeysAct(on: boolean): void {
  try {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
}
