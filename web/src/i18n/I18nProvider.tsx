import { DirectionProvider } from '@mantine/core'
import { createContext, use, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { adminTextsIn, adminTextsWanted } from './admin-texts.ts'
import { chosenLanguage, rememberLanguage, whenChosenElsewhere } from './language-choice.ts'
import { languageFor, type Language } from './languages.ts'
import { localeFor } from './locale.ts'
import { SpeechContext, type Texts } from './texts.ts'

interface Spoken {
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
export async function firstSpoken(): Promise<Spoken> {
  const language = chosenLanguage() ?? languageFor(navigator.languages)
  try {
    return await spoken(language)
  } catch {
    return spoken(languageFor([]))
  }
}

/** Provides the texts of one language to its children, and lets the user choose another one. */
export function I18nProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  const [{ language, texts }, setSpoken] = useState(first)
  const [chosen, setChosen] = useState(chosenLanguage)
  const speech = useMemo(() => ({ texts, locale: localeFor(language.tag, navigator.languages) }), [language, texts])
  const speak = async (next: Language | undefined) => {
    setSpoken(await spoken(next ?? languageFor(navigator.languages)))
    setChosen(next)
  }
  const choose = async (next: Language | undefined) => {
    await speak(next)
    rememberLanguage(next)
  }
  const follow = useEffectEvent((next: Language | undefined) => void speak(next).catch(() => {}))
  useEffect(() => whenChosenElsewhere((next) => follow(next)), [])

  return (
    <SpeechContext value={speech}>
      <ChoiceContext value={{ chosen, choose }}>
        <DirectionProvider>{children}</DirectionProvider>
      </ChoiceContext>
    </SpeechContext>
  )
}

export function useLanguageChoice(): LanguageChoice {
  const choice = use(ChoiceContext)
  if (!choice) throw new Error('useLanguageChoice outside of <I18nProvider>')
  return choice
}

/** Fetches a language and sets the document's `lang` and `dir`. */
async function spoken(language: Language): Promise<Spoken> {
  // A settings page needs its own texts too, before it switches to another language.
  const [texts] = await Promise.all([language.load(), adminTextsWanted() ? adminTextsIn(language.tag) : undefined])
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
  return { language, texts }
}
