import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import { ApiError, sendJson } from '../api/api.ts'
import { problemOf } from '../api/failure.ts'
import { useLocale, useTexts, type Texts } from '../i18n/texts.ts'
import { textIn } from '../lib/form.ts'
import { formatDuration } from '../lib/format-time.ts'
import { useSubmission, type Problems } from '../ui/forms/useSubmission.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { adviceOn } from '../session/password/password-advice.ts'
import { WhosePassword } from '../session/password/WhosePassword.tsx'

interface PasswordFormProps {
  readonly userName: string
  readonly submit: string
  readonly currentLabel: string
  /** The current password if already known; the form then doesn't ask for it. */
  readonly current?: string | undefined
  readonly onChanged: () => void
}

interface Passwords {
  readonly old_password: string
  readonly password: string
}

/** Changes the user's own password. Errors from the service are shown at their field. */
export function PasswordForm({ userName, submit, currentLabel, current, onChanged }: PasswordFormProps) {
  const texts = useTexts('account', 'login')
  const locale = useLocale()
  const [known, setKnown] = useState(current)
  const [round, setRound] = useState(0)
  const { form, isPending, problems, error } = useSubmission<Passwords, Response>({
    fields: ['old_password', 'password'],
    read: (sent) => ({ old_password: known ?? textIn(sent, 'old_password'), password: textIn(sent, 'password') }),
    check: (passwords) => {
      const advice = adviceOn(passwords.password, userName, texts.password)
      return {
        old_password: passwords.old_password === '' ? texts.password.missing : undefined,
        password: advice.level === 'empty' || advice.level === 'refused' ? advice.text : undefined,
      }
    },
    send: (body) => sendJson('PUT /api/users/:username/password', { username: userName }, body),
    onSuccess: () => {
      setRound((before) => before + 1)
      onChanged()
    },
    onError: (error) => {
      if (isWrongPassword(error) || problemOf(error, 'old_password', texts)) setKnown(undefined)
    },
    problemsIn: (error) => problemsIn(error, texts, locale),
  })

  return (
    // A new key empties the fields.
    <form key={round} {...form} action="account">
      <Stack gap="md">
        <FormProblem of={problems.whole} error={error} />
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
        <Button type="submit" size="md" loading={isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}

const isWrongPassword = (error: Error): boolean => error instanceof ApiError && error.failure.code === 'wrong-password'

function problemsIn(
  error: Error,
  { password, login }: Texts<'account' | 'login'>,
  locale: string,
): Problems<keyof Passwords> | undefined {
  if (isWrongPassword(error)) return { old_password: password.wrong }
  if (!(error instanceof ApiError)) return undefined
  const { status, reason, retryAfter } = error.failure
  // With a reason, it is another limit than that of failed passwords.
  if (status !== 429 || reason) return undefined
  return { whole: retryAfter ? login.tooManyWait({ time: formatDuration(retryAfter, locale) }) : login.tooMany }
}
