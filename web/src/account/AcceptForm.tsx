import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { OpenedOneTimeLink } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { useLocale, useTexts, type Texts } from '../i18n/texts.ts'
import { textIn } from '../lib/form.ts'
import { moment } from '../lib/format-time.ts'
import { adviceOn } from '../session/password/password-advice.ts'
import { SecondStep } from '../session/sign-in/lazy-factors.ts'
import { rememberLength } from '../session/session-length.ts'
import { forget } from '../session/session.ts'
import type { LoginResult } from '../session/sign-in/sign-in.ts'
import { SmallPage } from '../session/SmallPage.tsx'
import { WhosePassword } from '../session/password/WhosePassword.tsx'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import { Loading } from '../ui/feedback/Loading.tsx'
import { notifyFailure } from '../ui/feedback/notify.ts'
import { useSubmission } from '../ui/forms/useSubmission.ts'
import { LinkProblem, ToLogin } from './LinkProblem.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { acceptLink, endOf, reasonOf, type Chosen, type LinkKind, type OneTimeLink } from './one-time-link.ts'

interface AcceptFormProps {
  readonly link: OneTimeLink
  readonly opened: OpenedOneTimeLink
}

/** Uses a link: asks for a password, and for a name if the link has none, and opens the app. */
export function AcceptForm({ link, opened: { username, expires_at } }: AcceptFormProps) {
  const texts = useTexts('account', 'login', 'one-time-link')
  const { login, oneTimeLink, password: passwordTexts } = texts
  const locale = useLocale()
  const { goIn, toLogin } = useWays()
  const [isBlocked, setBlocked] = useState(false)
  const proceed = (next: LoginResult | undefined) => {
    if (next?.kind === 'in') goIn(Date.parse(next.as.expires_at))
    else if (next?.kind === 'not-kept') setBlocked(true)
    // The link is used up, so the new password is needed to sign in.
    else if (next?.kind !== 'second-factor') {
      if (next?.kind === 'other') notifyFailure(messageOf(next.error, texts))
      toLogin()
    }
  }
  const [typed, setTyped] = useState('')
  const { form, isPending, problems, error, result } = useSubmission<Chosen, LoginResult>({
    fields: username === null ? ['username', 'password'] : ['password'],
    read: (sent) => ({
      username: username === null ? textIn(sent, 'username').trim() : undefined,
      password: textIn(sent, 'password'),
    }),
    check: (chosen) => {
      const { level, text } = adviceOn(chosen.password, username ?? chosen.username ?? '', passwordTexts)
      return {
        username: chosen.username === '' ? oneTimeLink.nameMissing : undefined,
        password: level === 'empty' || level === 'refused' ? text : undefined,
      }
    },
    send: (chosen) => acceptLink(link, chosen),
    onSuccess: proceed,
    problemsIn: (failure) =>
      username === null && reasonOf(failure) === 'name-taken' ? { username: oneTimeLink.nameTaken } : undefined,
  })

  if (error && endOf(error)) return <LinkProblem error={error} />
  if (isBlocked) return <CookieBlocked />
  if (result?.kind === 'second-factor') {
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep challenge={result.challenge} onResult={proceed} />
      </Suspense>
    )
  }
  const { page, title, submit } = oneTimeLink[link.kind]
  return (
    <SmallPage page={page} title={title} lead={leadOf(link.kind, username, oneTimeLink)}>
      <form {...form} action="login">
        <Stack gap="md">
          <FormProblem of={problems.whole} error={error} />
          {username === null ? (
            <NameInput problem={problems.username} onType={setTyped} />
          ) : (
            <WhosePassword userName={username} />
          )}
          <NewPasswordField
            label={login.password}
            userName={username ?? typed}
            problem={problems.password}
            autoFocus={username !== null}
          />
          <Button type="submit" size="md" loading={isPending || result !== undefined}>
            {submit}
          </Button>
          <Text size="sm" c="dimmed">
            {oneTimeLink.until({ when: moment(Date.parse(expires_at), locale) })}
          </Text>
        </Stack>
      </form>
    </SmallPage>
  )
}

function NameInput({ problem, onType }: { problem: string | undefined; onType: (name: string) => void }) {
  const { login, users } = useTexts('login', 'users')
  return (
    <TextInput
      name="username"
      label={login.user}
      description={users.nameHint}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={64}
      size="md"
      required
      withAsterisk={false}
      autoFocus
      onChange={(event) => onType(event.currentTarget.value)}
      error={problem}
    />
  )
}

function CookieBlocked() {
  const { oneTimeLink } = useTexts('one-time-link')
  return (
    <SmallPage page={oneTimeLink.cookieBlockedTitle} title={oneTimeLink.cookieBlockedTitle}>
      <Stack role="alert">
        <Text>{oneTimeLink.cookieBlocked}</Text>
        <ToLogin />
      </Stack>
    </SmallPage>
  )
}

function leadOf(kind: LinkKind, username: string | null, { invitation, reset }: Texts<'one-time-link'>['oneTimeLink']) {
  if (username === null) return invitation.lead
  return kind === 'invitation' ? invitation.leadNamed({ name: username }) : reset.lead({ name: username })
}

/** Opens the app as the user who has just signed in, or the login page. */
function useWays() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  // The link is of no use anymore, so it does not stay in the tab's history.
  return {
    goIn: (expiresAt: number) => {
      rememberLength(expiresAt - Date.now())
      forget(queries)
      void navigate({ to: '/', replace: true })
    },
    toLogin: () => void navigate({ to: '/login', replace: true }),
  }
}
