import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { languageFor, languageOf, languages } from '../shared/texts/languages.ts'
import { useLanguageChoice } from '../shared/texts/Speaking.tsx'
import { useTexts } from '../shared/texts/texts.ts'

/** The language of the page, kept in this browser. Each stands there as those call it who read it. */
export function LanguageSelect(
  look: Pick<NativeSelectProps, 'label' | 'size' | 'variant' | 'leftSection' | 'className'>,
) {
  const { language } = useTexts()
  const { chosen, choose } = useLanguageChoice()
  const ofBrowser = languageFor(navigator.languages)

  return (
    <NativeSelect
      {...look}
      aria-label={look.label ? undefined : language.label}
      value={chosen?.tag ?? ''}
      onChange={({ currentTarget }) => {
        choose(languageOf(currentTarget.value)).catch(() => {
          notifications.show({ message: language.failed, color: 'red', role: 'alert' })
        })
      }}
    >
      <option value="">{language.auto(ofBrowser.name)}</option>
      {languages.map(({ tag, name }) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}
