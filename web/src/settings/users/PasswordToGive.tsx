import { Button, PasswordInput, Text } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import { useId, useState } from 'react'
import meterClasses from '../../account/NewPasswordField.module.css'
import { adviceOn, type Advice } from '../../account/password-advice.ts'
import type { Texts } from '../../shared/texts/texts.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import classes from './PasswordToGive.module.css'
import { madePassword } from './password-generator.ts'

const filled: Record<Advice['level'], number> = { empty: 0, refused: 1, weak: 2, fine: 3, good: 4 }

/** What may honestly be said about a password that is for somebody else. */
export const adviceFor = (value: string, userName: string, { password, users }: Texts): Advice =>
  adviceOn(value, userName, { ...password, advice: { ...password.advice, ...users.advice } })

interface PasswordToGiveParts {
  /** Whose it will be. */
  readonly userName: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
}

/** A password that an admin sets for somebody: typed, or made here and then shown. */
export function PasswordToGive({ userName, value, onChange, problem }: PasswordToGiveParts) {
  const texts = useTexts()
  const [shown, setShown] = useState(false)
  const [news, setNews] = useState('')
  const adviceId = useId()
  const advice = adviceFor(value, userName, texts)
  const make = () => {
    onChange(madePassword((into) => crypto.getRandomValues(into)))
    setShown(true)
    setNews(texts.users.made)
  }

  return (
    <div>
      <div className={classes.row}>
        <PasswordInput
          className={classes.field}
          name="password"
          label={texts.users.password}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={value}
          onChange={(event) => {
            setNews('')
            onChange(event.currentTarget.value)
          }}
          visible={shown}
          onVisibilityChange={setShown}
          error={problem}
          aria-describedby={adviceId}
        />
        <Button variant="default" leftSection={<IconWand size={18} aria-hidden />} onClick={make}>
          {texts.users.make}
        </Button>
      </div>
      <div className={meterClasses.meter} data-level={advice.level} aria-hidden>
        {[1, 2, 3, 4].map((part) => (
          <span key={part} data-on={filled[advice.level] >= part || undefined} />
        ))}
      </div>
      <Text id={adviceId} size="sm" c="dimmed" role="status">
        {news} {advice.text}
      </Text>
    </div>
  )
}
