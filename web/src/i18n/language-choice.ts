import { languageOf, type Language } from './languages.ts'

const key = 'gatehouse-language'

/** The language that somebody chose in this browser; undefined where the browser's own is to be followed. */
export function chosenLanguage(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(key) ?? '')
  } catch {
    // A browser that keeps nothing, as in a private frame.
    return undefined
  }
}

/** @param language undefined to follow the browser */
export function rememberLanguage(language: Language | undefined): void {
  try {
    if (language) localStorage.setItem(key, language.tag)
    else localStorage.removeItem(key)
  } catch {
    // Then it holds until the page is left.
  }
}

/** Another tab of this browser chose one. @returns what ends the listening */
export function whenChosenElsewhere(reported: (language: Language | undefined) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key) reported(chosenLanguage())
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
