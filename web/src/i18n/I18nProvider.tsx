import { DirectionProvider } from '@mantine/core'
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { loadTexts, requestedCatalogs } from './catalogs.ts'
import { chosenLanguage, rememberLanguage, whenChosenElsewhere } from './language-choice.ts'
import { languageFor, type Language } from './languages.ts'
import { localeFor } from './locale.ts'
import { newestChoice } from './newest-choice.ts'
import { I18nContext } from './texts.ts'

interface LanguageChoice {
  /** undefined: follows the browser's language. */
  readonly chosen: Language | undefined
  /** Rejects if the texts could not be fetched; the language then stays the same. */
  readonly choose: (language: Language | undefined) => Promise<void>
}

interface Choice {
  readonly next: Language | undefined
  /** Made in this tab, which stores it. */
  readonly isOwn: boolean
}

const ChoiceContext = createContext<LanguageChoice | undefined>(undefined)

/** The language to start with, its texts loaded; English if they could not be fetched. */
export async function loadInitialLanguage(): Promise<Language> {
  const language = chosenLanguage() ?? languageFor(navigator.languages)
  const loaded = await loadLanguage(language).catch(() => loadLanguage(languageFor([])))
  markDocument(loaded)
  return loaded
}

/** Provides one language to its children, and lets the user choose another one. */
export function I18nProvider({ first, children }: { first: Language; children: ReactNode }) {
  const [{ tag }, setLanguage] = useState(first)
  const [chosen, setChosen] = useState(chosenLanguage)
  const i18n = useMemo(() => ({ tag, locale: localeFor(tag, navigator.languages) }), [tag])
  // One for choices made here and in another tab: the newest of all applies.
  const [show] = useState(() =>
    newestChoice(
      ({ next }: Choice) => loadLanguage(next ?? languageFor(navigator.languages)),
      (loaded, { next, isOwn }) => {
        markDocument(loaded)
        setLanguage(loaded)
        setChosen(next)
        if (isOwn) rememberLanguage(next)
      },
    ),
  )
  const choose = (next: Language | undefined) => show({ next, isOwn: true })
  useEffect(() => whenChosenElsewhere((next) => void show({ next, isOwn: false }).catch(() => {})), [show])

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

/** Loads the texts of the open pages. */
async function loadLanguage(language: Language): Promise<Language> {
  await loadTexts(language.tag, requestedCatalogs())
  return language
}

/** Sets the document's `lang` and `dir`. */
function markDocument({ tag, direction }: Language): void {
  document.documentElement.lang = tag
  document.documentElement.dir = direction
}
