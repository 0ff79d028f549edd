import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { useRef, useState, type SubmitEvent } from 'react'
import { ApiError, send } from '../shared/api.ts'
import { messageOf, problemOf } from '../shared/failure.ts'
import type { Texts } from '../shared/texts/texts.ts'
import { useLocale, useTexts } from '../shared/texts/texts.ts'
import { textIn } from '../shared/form.ts'
import { lasting } from '../shared/time.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { adviceOn } from './password-advice.ts'

interface PasswordFormParts {
  readonly userName: string
  readonly submit: string
  readonly currentLabel: string
  /** Known already, and so not asked for. */
  readonly current?: string | undefined
  readonly onChanged: () => void
}

interface Problems {
  readonly current?: string | undefined
  readonly next?: string | undefined
  readonly whole?: string | undefined
}

/** Sets one's own password. The service judges; what it has against a field stands at that field. */
export function PasswordForm({ userName, submit, currentLabel, current, onChanged }: PasswordFormParts) {
  const texts = useTexts()
  const locale = useLocale()
  const [known, setKnown] = useState(current)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [round, setRound] = useState(0)
  const form = useRef<HTMLFormElement>(null)

  const change = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const password = textIn(fields, 'password')
    const old = known ?? textIn(fields, 'old_password')
    const advice = adviceOn(password, userName, texts.password)
    const found: Problems = {
      current: old === '' ? texts.password.missing : undefined,
      next: advice.level === 'empty' || advice.level === 'refused' ? advice.text : undefined,
    }
    setProblems(found)
    if (found.current || found.next) return focusOn(form.current, found.current ? 'old_password' : 'password')

    setBusy(true)
    try {
      await send(`api/users/${encodeURIComponent(userName)}/password`, {
        method: 'PUT',
        body: { password, old_password: old },
      })
      setRound((before) => before + 1)
      onChanged()
    } catch (error) {
      const refused = problemsIn(error, texts, locale)
      if (refused.current) setKnown(undefined)
      setProblems(refused)
      if (refused.current || refused.next) focusOn(form.current, refused.current ? 'old_password' : 'password')
    } finally {
      setBusy(false)
    }
  }

  return (
    // A new round empties the fields.
    <form key={round} ref={form} method="post" action="account" onSubmit={(event) => void change(event)} noValidate>
      <Stack gap="md">
        {problems.whole && (
          <Alert role="alert" color="red">
            {problems.whole}
          </Alert>
        )}
        {/* Password managers want to know whose password this is. */}
        <input
          className="visually-hidden"
          name="user"
          autoComplete="username"
          value={userName}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        {known === undefined && (
          <PasswordInput
            name="old_password"
            label={currentLabel}
            autoComplete="current-password"
            size="md"
            required
            withAsterisk={false}
            error={problems.current}
          />
        )}
        <NewPasswordField userName={userName} problem={problems.next} autoFocus={current !== undefined} />
        <Button type="submit" size="md" loading={busy}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}

function problemsIn(error: unknown, texts: Texts, locale: string): Problems {
  if (!(error instanceof ApiError)) return { whole: texts.failure.unexpected }
  const { status, code, retryAfter } = error.failure
  if (code === 'wrong-password') return { current: texts.password.wrong }
  if (status === 429) {
    return { whole: retryAfter ? texts.login.tooManyWait(lasting(retryAfter, locale)) : texts.login.tooMany }
  }
  const [current, next] = [problemOf(error, 'old_password'), problemOf(error, 'password')]
  return current || next ? { current, next: next && texts.password.problem(next) } : { whole: messageOf(error, texts) }
}

function focusOn(form: HTMLFormElement | null, name: string) {
  form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus()
}
