/**
 * Dates and numbers follow the browser's own region where it speaks the language shown, as `en-GB`.
 *
 * @param preferred BCP 47 tags, dearest first, as `navigator.languages`
 */
export const localeFor = (tag: string, preferred: readonly string[]): string =>
  preferred.find((other) => sameWords(wordsOf(tag), wordsOf(other))) ?? tag

/** undefined for what is no tag. */
export function wordsOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

const sameWords = (one: Intl.Locale | undefined, other: Intl.Locale | undefined): boolean =>
  one?.language === other?.language && one?.script === other?.script
