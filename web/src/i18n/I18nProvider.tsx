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
  /** undefined: the browser's own is followed. */
  readonly chosen: Language | undefined
  /** Rejects where the texts could not be fetched; then all stays as it was. */
  readonly choose: (language: Language | undefined) => Promise<void>
}

const ChoiceContext = createContext<LanguageChoice | undefined>(undefined)

/** The texts to begin with. Where they cannot be fetched it is English. */
export async function firstSpoken(): Promise<Spoken> {
  const language = chosenLanguage() ?? languageFor(navigator.languages)
  try {
    return await spoken(language)
  } catch {
    return spoken(languageFor([]))
  }
}

/** Gives every part within the texts of one language, and lets another one be chosen. */
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
  if (!choice) throw new Error('No <Speaking> around this part')
  return choice
}

/** Fetches a language, and tells the document, whose direction every part follows. */
async function spoken(language: Language): Promise<Spoken> {
  // On a page of the settings nothing is to be missing while another language comes.
  const [texts] = await Promise.all([language.load(), adminTextsWanted() ? adminTextsIn(language.tag) : undefined])
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
  return { language, texts }
}
