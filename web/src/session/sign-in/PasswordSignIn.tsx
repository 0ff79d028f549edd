import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { textIn } from '../../lib/form.ts'
import { useSubmission } from '../../ui/forms/useSubmission.ts'
import { rememberTyped } from './fresh-login.ts'
import { signIn, type LoginResult } from './sign-in.ts'

/** The fields for a username and a password. */
export function PasswordSignIn({ onResult }: { onResult: (result: LoginResult) => void }) {
  const { login } = useTexts('login')
  const passwordField = useRef<HTMLInputElement>(null)
  const submission = useSubmission({
    fields: ['user', 'password'],
    // Read from the form itself: password managers fill fields without firing React events.
    read: (sent) => ({ user: textIn(sent, 'user').trim(), password: textIn(sent, 'password') }),
    check: ({ user, password }) => ({
      user: user === '' ? login.userMissing : undefined,
      password: password === '' ? login.passwordMissing : undefined,
    }),
    send: ({ user, password }) => signIn(user, password),
    onSuccess: (next, { user, password }) => {
      if (next.kind === 'in' || next.kind === 'second-factor') rememberTyped(user, password)
      onResult(next)
      if (next.kind === 'wrong') passwordField.current?.select()
    },
  })
  const { form, isPending, problems } = submission

  return (
    <form {...form} action="login">
      <Stack gap="md">
        <TextInput
          name="user"
          id="user"
          label={login.user}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          size="md"
          required
          withAsterisk={false}
          autoFocus
          error={problems.user}
        />
        <PasswordInput
          ref={passwordField}
          name="password"
          id="password"
          label={login.password}
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          error={problems.password}
        />
        <Button type="submit" size="md" mt={4} loading={isPending || submission.result?.kind === 'in'} fullWidth>
          {login.submit}
        </Button>
      </Stack>
    </form>
  )
}
