import { createContext, use } from 'react'
import { en, type Texts } from './en.ts'

/** A language's texts and the name by which `Intl` knows it. */
export interface Language {
  readonly tag: string
  readonly texts: Texts
}

const english: Language = { tag: 'en', texts: en }

/** Languages by tag; a further one is a file beside en.ts and an entry here. */
export const languages: ReadonlyMap<string, Language> = new Map([[english.tag, english]])

/** The first language that somebody prefers and we have. */
export const languageFor = (preferred: readonly string[]): Language =>
  preferred
    .map((tag) => languages.get(tag) ?? languages.get(tag.split('-')[0] ?? ''))
    .find((language) => language !== undefined) ?? english

/** Dates and numbers follow the browser's own region where it speaks the language shown, as `en-GB`. */
export const localeFor = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.split('-')[0] === language.tag) ?? language.tag

export const LanguageContext = createContext<Language>(english)

export const useTexts = (): Texts => use(LanguageContext).texts

export const useLocale = (): string => localeFor(use(LanguageContext), navigator.languages)
