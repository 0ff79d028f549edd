import { createContext, use } from 'react'
import type { en } from './en/en.ts'

/** The shape that every language must have. */
export type Texts = typeof en

/** The page's texts and its locale. */
export interface Speech {
  readonly texts: Texts
  /** A BCP 47 tag for dates and numbers, for example `en-GB`. */
  readonly locale: string
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

function useI18n(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('useI18n outside of <I18nProvider>')
  return speech
}

export const useTexts = (): Texts => useI18n().texts

export const useLocale = (): string => useI18n().locale
