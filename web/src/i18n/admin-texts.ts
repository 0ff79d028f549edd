import { use, useMemo } from 'react'
import type { admin } from './en/admin.ts'
import { languageFor } from './languages.ts'
import { pageTexts } from './page-texts.ts'
import { useLocale, useTexts, type Texts } from './texts.ts'

/** The shape that every language must have. */
export type AdminTexts = typeof admin

/** Every text that a settings page shows. */
export type SettingsTexts = Texts & AdminTexts

const texts = pageTexts<AdminTexts>({
  en: async () => (await import('./en/admin.ts')).admin,
  de: async () => (await import('./de/admin.ts')).admin,
  es: async () => (await import('./es/admin.ts')).admin,
  fr: async () => (await import('./fr/admin.ts')).admin,
  'zh-Hans': async () => (await import('./zh/admin.ts')).admin,
})

export const adminTextsIn = texts.load
export const adminTextsWanted = texts.requested

/** Merges both, with the config.yml problems among the service's other problems. */
export const withAdminTexts = (first: Texts, admin: AdminTexts): SettingsTexts => ({
  ...first,
  ...admin,
  service: { ...first.service, problems: { ...first.service.problems, ...admin.configProblems } },
})

/** The texts of a settings page, loaded with the page. Suspends until they are there. */
export function useSettingsTexts(): SettingsTexts {
  const first = useTexts()
  const admin = use(texts.load(languageFor([useLocale()]).tag))
  return useMemo(() => withAdminTexts(first, admin), [first, admin])
}
