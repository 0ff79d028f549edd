/**
 * The browser's own region for dates and numbers if it matches the shown language, for example `en-GB`; otherwise
 * `tag`.
 *
 * @param preferred BCP 47 tags, most preferred first, as in `navigator.languages`
 */
export const localeFor = (tag: string, preferred: readonly string[]): string =>
  preferred.find((other) => sameWords(wordsOf(tag), wordsOf(other))) ?? tag

/** undefined if `tag` is not a valid BCP 47 tag. */
export function wordsOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

const sameWords = (one: Intl.Locale | undefined, other: Intl.Locale | undefined): boolean =>
  one?.language === other?.language && one?.script === other?.script
