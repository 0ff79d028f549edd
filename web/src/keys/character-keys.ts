const key = 'gatehouse-character-keys'

/** Whether letters, digits and signs do something by themselves. Whoever speaks to their computer may turn that off. */
export function characterKeysAct(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

/** Kept in this browser. */
export function letCharacterKeysAct(on: boolean): void {
  try {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  } catch {
    // Then it is as it was when the page is opened again.
  }
}
