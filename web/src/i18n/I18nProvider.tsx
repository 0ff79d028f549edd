import { DirectionProvider } from '@mantine/core'
import { createContext, use, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { loadTexts, requestedCatalogs } from './catalogs.ts'
import { chosenLanguage, rememberLanguage, whenChosenElsewhere } from './language-choice.ts'
import { languageFor, type Language } from './languages.ts'
import { localeFor } from './locale.ts'
import { I18nContext } from './texts.ts'

interface LanguageChoice {
  /** undefined: follows the browser's language. */
  readonly chosen: Language | undefined
  /** Rejects if the texts could not be fetched; the language then stays the same. */
  readonly choose: (language: Language | undefined) => Promise<void>
}

const ChoiceContext = createContext<LanguageChoice | undefined>(undefined)

/** The language to start with, its texts loaded; English if they could not be fetched. */
export async function loadInitialLanguage(): Promise<Language> {
  const language = chosenLanguage() ?? languageFor(navigator.languages)
  try {
    return await loadLanguage(language)
  } catch {
    return loadLanguage(languageFor([]))
  }
}

/** Provides one language to its children, and lets the user choose another one. */
export function I18nProvider({ first, children }: { first: Language; children: ReactNode }) {
  const [{ tag }, setLanguage] = useState(first)
  const [chosen, setChosen] = useState(chosenLanguage)
  const i18n = useMemo(() => ({ tag, locale: localeFor(tag, navigator.languages) }), [tag])
  const show = async (next: Language | undefined) => {
    setLanguage(await loadLanguage(next ?? languageFor(navigator.languages)))
    setChosen(next)
  }
  const choose = async (next: Language | undefined) => {
    await show(next)
    rememberLanguage(next)
  }
  const follow = useEffectEvent((next: Language | undefined) => void show(next).catch(() => {}))
  useEffect(() => whenChosenElsewhere((next) => follow(next)), [])

  return (
    <I18nContext value={i18n}>
      <ChoiceContext value={{ chosen, choose }}>
        <DirectionProvider>{children}</DirectionProvider>
      </ChoiceContext>
    </I18nContext>
  )
}

export function useLanguageChoice(): LanguageChoice {
  const choice = use(ChoiceContext)
  if (!choice) throw new Error('useLanguageChoice outside of <I18nProvider>')
  return choice
}

/** Loads the texts of the open pages, then sets the document's `lang` and `dir`. */
async function loadLanguage(language: Language): Promise<Language> {
  await loadTexts(language.tag, requestedCatalogs())
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
  return language
}
