import { DirectionProvider } from '@mantine/core'
import { createContext, use, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { adminTextsIn, adminTextsWanted } from './admin-texts.ts'
import { chosenLanguage, rememberLanguage, whenChosenElsewhere } from './language-choice.ts'
import { languageFor, type Language } from './languages.ts'
import { localeFor } from './locale.ts'
import { I18nContext, type Texts } from './texts.ts'

interface LoadedLanguage {
  readonly language: Language
  readonly texts: Texts
}

interface LanguageChoice {
  /** undefined: follows the browser's language. */
  readonly chosen: Language | undefined
  /** Rejects if the texts could not be fetched; the language then stays the same. */
  readonly choose: (language: Language | undefined) => Promise<void>
}

const ChoiceContext = createContext<LanguageChoice | undefined>(undefined)

/** The texts to start with; English if they could not be fetched. */
export async function loadInitialLanguage(): Promise<LoadedLanguage> {
  const language = chosenLanguage() ?? languageFor(navigator.languages)
  try {
    return await loadLanguage(language)
  } catch {
    return loadLanguage(languageFor([]))
  }
}

/** Provides the texts of one language to its children, and lets the user choose another one. */
export function I18nProvider({ first, children }: { first: LoadedLanguage; children: ReactNode }) {
  const [{ language, texts }, setLoaded] = useState(first)
  const [chosen, setChosen] = useState(chosenLanguage)
  const i18n = useMemo(() => ({ texts, locale: localeFor(language.tag, navigator.languages) }), [language, texts])
  const show = async (next: Language | undefined) => {
    setLoaded(await loadLanguage(next ?? languageFor(navigator.languages)))
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

/** Fetches a language and sets the document's `lang` and `dir`. */
async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  // A settings page needs its own texts too, before it switches to another language.
  const [texts] = await Promise.all([language.load(), adminTextsWanted() ? adminTextsIn(language.tag) : undefined])
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
  return { language, texts }
}
