import { wordsOf } from './locale.ts'
import type { Texts } from './texts.ts'

export interface Language {
  /** BCP 47, with the script where a language has several. */
  readonly tag: string
  /** As those who read it call it. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** The texts of every page; fetched when they are wanted. */
  readonly load: () => Promise<Texts>
}

const english: Language = {
  tag: 'en',
  name: 'English',
  direction: 'ltr',
  load: async () => (await import('./en/en.ts')).en,
}

/** A further language is a folder beside `en` and an entry here. */
export const languages: readonly Language[] = [
  english,
  { tag: 'de', name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de/de.ts')).de },
  { tag: 'es', name: 'Español', direction: 'ltr', load: async () => (await import('./es/es.ts')).es },
  { tag: 'fr', name: 'Français', direction: 'ltr', load: async () => (await import('./fr/fr.ts')).fr },
  { tag: 'zh-Hans', name: '简体中文', direction: 'ltr', load: async () => (await import('./zh/zh.ts')).zh },
]

/** The language of that tag, as somebody chose it. */
export const languageOf = (tag: string): Language | undefined => languages.find((language) => language.tag === tag)

/**
 * The first language that somebody prefers and we have. Another script of it is better than another language.
 *
 * @param preferred BCP 47 tags, dearest first, as `navigator.languages`
 */
export const languageFor = (preferred: readonly string[]): Language =>
  preferred
    .map((tag) => languages.find((language) => wordsOf(language.tag)?.language === wordsOf(tag)?.language))
    .find((language) => language !== undefined) ?? english
