import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { notifyFailure } from './notify.ts'
import { languageFor, languageOf, languages } from '../i18n/languages.ts'
import { useLanguageChoice } from '../i18n/I18nProvider.tsx'
import { useTexts } from '../i18n/texts.ts'

/** Selects the page's language, stored in this browser. Each language is listed by its own name. */
export function LanguageSelect(
  view: Pick<NativeSelectProps, 'label' | 'size' | 'variant' | 'leftSection' | 'className'>,
) {
  const { language } = useTexts()
  const { chosen, choose } = useLanguageChoice()
  const ofBrowser = languageFor(navigator.languages)

  return (
    <NativeSelect
      {...view}
      aria-label={view.label ? undefined : language.label}
      value={chosen?.tag ?? ''}
      onChange={({ currentTarget }) => {
        choose(languageOf(currentTarget.value)).catch(() => {
          notifyFailure(language.failed)
        })
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
