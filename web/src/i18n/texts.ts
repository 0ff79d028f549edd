import { createContext, use } from 'react'
import type { en } from './en/en.ts'

/** The shape that every language must have. */
export type Texts = typeof en

/** The page's texts and its locale. */
export interface I18n {
  readonly texts: Texts
  /** A BCP 47 tag for dates and numbers, for example `en-GB`. */
  readonly locale: string
}

export const I18nContext = createContext<I18n | undefined>(undefined)

function useI18n(): I18n {
  const i18n = use(I18nContext)
  if (!i18n) throw new Error('useI18n outside of <I18nProvider>')
  return i18n
}

export const useTexts = (): Texts => useI18n().texts

export const useLocale = (): string => useI18n().locale
