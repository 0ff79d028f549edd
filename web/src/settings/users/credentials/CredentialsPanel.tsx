import { Button, PasswordInput } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { adviceOn, type Advice } from '../../../session/password/password-advice.ts'
import { PasswordAdvice } from '../../../session/password/PasswordAdvice.tsx'
import { useTexts, type Texts } from '../../../i18n/texts.ts'
import type { FieldProps } from '../../../ui/forms/useForm.ts'
import classes from './CredentialsPanel.module.css'
import { generatePassword } from './password-generator.ts'

/** Advice on a password for someone else. */
const adviceFor = (value: string, userName: string, { password, users }: Texts<'account' | 'users'>): Advice =>
  adviceOn(value, userName, { ...password, advice: { ...password.advice, ...users.advice } })

/** A problem that can be found without the service. */
export function passwordProblem(
  value: string,
  userName: string,
  texts: Texts<'account' | 'users'>,
): string | undefined {
  const { level, text } = adviceFor(value, userName, texts)
  if (level === 'empty') return texts.users.passwordMissing
  return level === 'refused' ? text : undefined
}

interface CredentialsPanelProps extends FieldProps<string> {
  /** The user who gets the password. */
  readonly userName: string
}

/** A password field for another user: typed, or generated and then shown. */
export function CredentialsPanel({ userName, name, value, onChange, error }: CredentialsPanelProps) {
  const texts = useTexts('account', 'users')
  const [isVisible, setVisible] = useState(false)
  const [news, setNews] = useState('')
  const adviceId = useId()
  const advice = adviceFor(value, userName, texts)
  const make = () => {
    onChange(generatePassword((into) => crypto.getRandomValues(into)))
    setVisible(true)
    setNews(texts.users.generated)
  }

  return (
    <div>
      <div className={classes.row}>
        <PasswordInput
          className={classes.field}
          name={name}
          label={texts.users.password}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={value}
          onChange={(event) => {
            setNews('')
            onChange(event)
          }}
          visible={isVisible}
          onVisibilityChange={setVisible}
          error={error}
          aria-describedby={adviceId}
        />
        <Button variant="default" leftSection={<IconWand size={18} aria-hidden />} onClick={make}>
          {texts.users.generate}
        </Button>
      </div>
      <PasswordAdvice id={adviceId} advice={advice} problem={error} news={news} />
    </div>
  )
}
