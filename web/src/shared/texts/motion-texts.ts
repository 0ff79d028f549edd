import { use } from 'react'
import type { MotionTexts } from './en/motion.ts'
import { languageFor } from './languages.ts'
import { useLocale } from './texts.ts'

/** By the tags in languages.ts. */
const loads: Readonly<Record<string, () => Promise<{ readonly motion: MotionTexts }>>> = {
  en: () => import('./en/motion.ts'),
  de: () => import('./de/motion.ts'),
  es: () => import('./es/motion.ts'),
  fr: () => import('./fr/motion.ts'),
  'zh-Hans': () => import('./zh/motion.ts'),
}

/** @param tag of a language that there is */
export async function motionTextsIn(tag: string): Promise<MotionTexts> {
  const load = loads[tag]
  if (!load) throw new Error(`no texts in ${tag}`)
  return (await load()).motion
}

const loaded = new Map<string, Promise<MotionTexts>>()

/** The texts of the page on motion, which come with it and not with every first page. */
export function useMotionTexts(): MotionTexts {
  const { tag } = languageFor([useLocale()])
  let texts = loaded.get(tag)
  if (!texts) {
    texts = motionTextsIn(tag)
    loaded.set(tag, texts)
    // Tried again when the page is.
    texts.catch(() => loaded.delete(tag))
  }
  return use(texts)
}
