import { PasswordInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { adviceOn } from '../session/password/password-advice.ts'
import { PasswordAdvice } from '../session/password/PasswordAdvice.tsx'

interface NewPasswordFieldProps {
  /** Default: "New password". */
  readonly label?: string
  readonly userName: string
  /** Why the service or the form rejected the password. */
  readonly problem: string | undefined
  readonly autoFocus?: boolean
}

/** A form's `password` field, with advice while the user types. */
export function NewPasswordField({ label, userName, problem, autoFocus = false }: NewPasswordFieldProps) {
  const { password } = useTexts('account')
  const [value, setValue] = useState('')
  const adviceId = useId()
  const advice = adviceOn(value, userName, password)

  return (
    <div>
      <PasswordInput
        name="password"
        label={label ?? password.next}
        autoComplete="new-password"
        size="md"
        required
        withAsterisk={false}
        data-autofocus={autoFocus || undefined}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={problem}
        aria-describedby={adviceId}
      />
      <PasswordAdvice id={adviceId} advice={advice} problem={problem} />
    </div>
  )
}
