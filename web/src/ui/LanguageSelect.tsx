import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useState } from 'react'
import { languageFor, languageOf, languages } from '../i18n/languages.ts'
import { useLanguageChoice } from '../i18n/I18nProvider.tsx'
import { useTexts } from '../i18n/texts.ts'

/** Selects the page's language, stored in this browser. Each language is listed by its own name. */
export function LanguageSelect(
  view: Pick<NativeSelectProps, 'label' | 'size' | 'variant' | 'leftSection' | 'className'>,
) {
  const { language } = useTexts()
  const { chosen, choose } = useLanguageChoice()
  const [failed, setFailed] = useState(false)
  const ofBrowser = languageFor(navigator.languages)

  return (
    <NativeSelect
      {...view}
      aria-label={view.label ? undefined : language.label}
      value={chosen?.tag ?? ''}
      // Not a toast, whose code couldn't be loaded either.
      error={failed && language.failed}
      errorProps={{ role: 'alert' }}
      onChange={({ currentTarget }) => {
        setFailed(false)
        choose(languageOf(currentTarget.value)).catch(() => setFailed(true))
      }}
    >
      <option value="">{language.auto({ name: ofBrowser.name })}</option>
      {languages.map(({ tag, name }) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}
