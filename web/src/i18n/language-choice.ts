import { languageOf, type Language } from './languages.ts'

const key = 'gatehouse-language'

/** The language chosen in this browser; undefined to follow the browser's language. */
export function chosenLanguage(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(key) ?? '')
  } catch {
    // Storage is unavailable, for example in a private window.
    return undefined
  }
}

/** @param language undefined to follow the browser */
export function rememberLanguage(language: Language | undefined): void {
  try {
    if (language) localStorage.setItem(key, language.tag)
    else localStorage.removeItem(key)
  } catch {
    // The choice then lasts until the page is closed.
  }
}

/** Calls back when another tab of this browser chose a language. @returns a function that stops listening */
export function whenChosenElsewhere(reported: (language: Language | undefined) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key) reported(chosenLanguage())
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
