import { createContext, use } from 'react'
import { catalogLoad, loadedTexts, type CatalogName, type Texts } from './catalogs.ts'

export type { Texts } from './catalogs.ts'

/** The page's language and locale. */
export interface I18n {
  /** The tag of the shown language, in languages.ts. */
  readonly tag: string
  /** A BCP 47 tag for dates and numbers, for example `en-GB`. */
  readonly locale: string
}

export const I18nContext = createContext<I18n | undefined>(undefined)

function useI18n(): I18n {
  const i18n = use(I18nContext)
  if (!i18n) throw new Error('useI18n outside of <I18nProvider>')
  return i18n
}

/**
 * The texts that every page needs, and those of the named catalogs. Suspends while they are loading; a page's route
 * loads them with the page (`app/routes.tsx`), so that this is rare.
 */
export function useTexts<Name extends CatalogName = never>(...names: readonly Name[]): Texts<Name> {
  const { tag } = useI18n()
  for (const name of names) if (!loadedTexts(tag, [name])) use(catalogLoad(tag, name))
  const texts = loadedTexts(tag, names)
  if (!texts) throw new Error('<I18nProvider> shows a language before its texts are loaded')
  return texts
}

export const useLocale = (): string => useI18n().locale
