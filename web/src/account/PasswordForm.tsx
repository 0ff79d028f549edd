import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FormProblem } from '../ui/FormProblem.tsx'
import { ApiError, send } from '../api/api.ts'
import { messageOf, problemOf } from '../api/failure.ts'
import { useLocale, useTexts, type Texts } from '../i18n/texts.ts'
import { textIn } from '../lib/form.ts'
import { formatDuration } from '../lib/format-time.ts'
import { useValidatedForm, type Problems } from '../ui/useValidatedForm.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { adviceOn } from '../session/password-advice.ts'
import { WhosePassword } from '../session/WhosePassword.tsx'

interface PasswordFormProps {
  readonly userName: string
  readonly submit: string
  readonly currentLabel: string
  /** The current password if already known; the form then doesn't ask for it. */
  readonly current?: string | undefined
  readonly onChanged: () => void
}

type Field = 'old_password' | 'password'

/** Changes the user's own password. Errors from the service are shown at their field. */
export function PasswordForm({ userName, submit, currentLabel, current, onChanged }: PasswordFormProps) {
  const texts = useTexts('account', 'login')
  const locale = useLocale()
  const [known, setKnown] = useState(current)
  const [round, setRound] = useState(0)
  const oldIn = (sent: FormData) => known ?? textIn(sent, 'old_password')
  const { form, busy, problems } = useValidatedForm<Field>({
    fields: ['old_password', 'password'],
    check: (sent) => {
      const advice = adviceOn(textIn(sent, 'password'), userName, texts.password)
      return {
        old_password: oldIn(sent) === '' ? texts.password.missing : undefined,
        password: advice.level === 'empty' || advice.level === 'refused' ? advice.text : undefined,
      }
    },
    act: async (sent) => {
      const body = { password: textIn(sent, 'password'), old_password: oldIn(sent) }
      await send(`api/users/${encodeURIComponent(userName)}/password`, { method: 'PUT', body })
      setRound((before) => before + 1)
      onChanged()
    },
    problemsIn: (error) => {
      const refused = problemsIn(error, texts, locale)
      if (refused.old_password) setKnown(undefined)
      return refused
    },
  })

  return (
    // A new key empties the fields.
    <form key={round} {...form} action="account">
      <Stack gap="md">
        <FormProblem of={problems.whole} />
        <WhosePassword userName={userName} />
        {known === undefined && (
          <PasswordInput
            name="old_password"
            label={currentLabel}
            autoComplete="current-password"
            size="md"
            required
            withAsterisk={false}
            error={problems.old_password}
          />
        )}
        <NewPasswordField userName={userName} problem={problems.password} autoFocus={current !== undefined} />
        <Button type="submit" size="md" loading={busy}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}

function problemsIn(error: unknown, texts: Texts<'account' | 'login'>, locale: string): Problems<Field> {
  if (!(error instanceof ApiError)) return { whole: texts.failure.unexpected }
  const { status, code, retryAfter } = error.failure
  if (code === 'wrong-password') return { old_password: texts.password.wrong }
  if (status === 429) {
    return {
      whole: retryAfter ? texts.login.tooManyWait({ time: formatDuration(retryAfter, locale) }) : texts.login.tooMany,
    }
  }
  const [current, next] = [problemOf(error, 'old_password', texts), problemOf(error, 'password', texts)]
  return current || next ? { old_password: current, password: next } : { whole: messageOf(error, texts) }
}
