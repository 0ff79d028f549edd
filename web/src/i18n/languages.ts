import { wordsOf } from './locale.ts'

export interface Language {
  /** BCP 47, with the script if a language has several. */
  readonly tag: string
  /** The language's own name for itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

const english: Language = { tag: 'en', name: 'English', direction: 'ltr' }

/** To add a language, add a folder next to `en`, named by its tag, and an entry here. */
export const languages: readonly Language[] = [
  english,
  { tag: 'de', name: 'Deutsch', direction: 'ltr' },
  { tag: 'es', name: 'Español', direction: 'ltr' },
  { tag: 'fr', name: 'Français', direction: 'ltr' },
  { tag: 'zh-Hans', name: '简体中文', direction: 'ltr' },
]

/** The language with exactly this tag. */
export const languageOf = (tag: string): Language | undefined => languages.find((language) => language.tag === tag)

/**
 * The first preferred language that is available. The same language in another script beats another language.
 *
 * @param preferred BCP 47 tags, most preferred first, as in `navigator.languages`
 */
export const languageFor = (preferred: readonly string[]): Language =>
  preferred
    .map((tag) => languages.find((language) => wordsOf(language.tag)?.language === wordsOf(tag)?.language))
    .find((language) => language !== undefined) ?? english
