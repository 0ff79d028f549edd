import { PasswordInput, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useTexts } from '../shared/texts/texts.ts'
import classes from './NewPasswordField.module.css'
import { adviceOn, type Advice } from './password-advice.ts'

const filled: Record<Advice['level'], number> = { empty: 0, refused: 1, weak: 2, fine: 3, good: 4 }

interface NewPasswordFieldParts {
  readonly userName: string
  /** What the service, or the form, had against it. */
  readonly problem: string | undefined
  readonly autoFocus?: boolean
}

/** The field `password` of a form, with advice as one types. */
export function NewPasswordField({ userName, problem, autoFocus = false }: NewPasswordFieldParts) {
  const { password } = useTexts()
  const [value, setValue] = useState('')
  const adviceId = useId()
  const advice = adviceOn(value, userName, password)

  return (
    <div>
      <PasswordInput
        name="password"
        label={password.next}
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
      <div className={classes.meter} data-level={advice.level} aria-hidden>
        {[1, 2, 3, 4].map((part) => (
          <span key={part} data-on={filled[advice.level] >= part || undefined} />
        ))}
      </div>
      <Text id={adviceId} size="sm" c="dimmed" role="status">
        {/* Not twice, where the form found the same. */}
        {advice.text !== problem && advice.text}
      </Text>
    </div>
  )
}
