import { use } from 'react'
import type { MotionTexts } from './en/motion.ts'
import { languageFor } from './languages.ts'
import { pageTexts } from './page-texts.ts'
import { useLocale } from './texts.ts'

const texts = pageTexts<MotionTexts>({
  en: async () => (await import('./en/motion.ts')).motion,
  de: async () => (await import('./de/motion.ts')).motion,
  es: async () => (await import('./es/motion.ts')).motion,
  fr: async () => (await import('./fr/motion.ts')).motion,
  'zh-Hans': async () => (await import('./zh/motion.ts')).motion,
})

export const motionTextsIn = texts.load

/** The texts of the motion page. Suspends until they are there. */
export const useMotionTexts = (): MotionTexts => use(texts.load(languageFor([useLocale()]).tag))
