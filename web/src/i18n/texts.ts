import { createContext, use } from 'react'
import type { en } from './en/en.ts'

/** The shape that every language has to fill. */
export type Texts = typeof en

/** What the page speaks. */
export interface Speech {
  readonly texts: Texts
  /** For dates and numbers: a BCP 47 tag, as `en-GB`. */
  readonly locale: string
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

function useI18n(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('No <Speaking> around this part')
  return speech
}

export const useTexts = (): Texts => useI18n().texts

export const useLocale = (): string => useI18n().locale
