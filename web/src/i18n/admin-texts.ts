import { use, useMemo } from 'react'
import type { admin } from './en/admin.ts'
import { languageFor } from './languages.ts'
import { pageTexts } from './page-texts.ts'
import { useLocale, useTexts, type Texts } from './texts.ts'

/** The shape that every language has to fill. */
export type AdminTexts = typeof admin

/** All texts that a page of the settings shows. */
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

/** Both in one; what the service says of config.yml is among what it says. */
export const withAdminTexts = (first: Texts, admin: AdminTexts): SettingsTexts => ({
  ...first,
  ...admin,
  service: { ...first.service, problems: { ...first.service.problems, ...admin.configProblems } },
})

/** The texts of a page of the settings, which come with it. */
export function useSettingsTexts(): SettingsTexts {
  const first = useTexts()
  const admin = use(texts.load(languageFor([useLocale()]).tag))
  return useMemo(() => withAdminTexts(first, admin), [first, admin])
}
