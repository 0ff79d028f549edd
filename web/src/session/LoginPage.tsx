import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Loading } from '../ui/Loading.tsx'
import { useSubmission } from '../ui/useSubmission.ts'
import { textIn } from '../lib/form.ts'
import { loadOf } from '../api/load.ts'
import { takePlace } from '../api/place.ts'
import { useTexts } from '../i18n/texts.ts'
import type { LoginResponse } from '../../../server/src/api-types.ts'
import { rememberTyped } from './fresh-login.ts'
import { PasskeySignIn, SecondStep } from './lazy-factors.ts'
import classes from './LoginPage.module.css'
import { LoginProblem } from './LoginProblem.tsx'
import { returnPath } from './return-path.ts'
import { canUsePasskeys } from './passkey.ts'
import { forget, loginMethodsQuery, whoIsItQuery } from './session.ts'
import { rememberLength } from './session-length.ts'
import { signIn, type LoginResult } from './sign-in.ts'
import { SmallPage } from './SmallPage.tsx'

/** Signs in and returns to the previous page. A user who is already signed in is redirected immediately. */
export function LoginPage() {
  const { history } = useRouter()
  const { return: requested, ended } = useSearch({ from: '/login' })
  const queries = useQueryClient()
  const whoIsIt = loadOf(useQuery(whoIsItQuery))
  const [result, setResult] = useState<LoginResult>()
  // On a paired display too, a person can sign in.
  const known = whoIsIt.state === 'ready' && whoIsIt.value.auth !== 'screen'

  const proceed = () => {
    const place = takePlace()
    forget(queries)
    history.replace(returnPath(requested ?? place, document.baseURI))
  }
  const proceedEffect = useEffectEvent(proceed)
  useEffect(() => {
    if (known) proceedEffect()
  }, [known])

  if (known || whoIsIt.state === 'loading') return <Loading />
  if (result?.kind === 'proxy') return <ProxySignsIn />
  const next = (following: LoginResult | undefined) => {
    if (following?.kind !== 'in') return setResult(following)
    rememberLength(lengthOf(following.as))
    proceed()
  }
  if (result?.kind === 'second-factor') {
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep challenge={result.challenge} onResult={next} />
      </Suspense>
    )
  }
  return <LoginForm result={result} onResult={next} ended={ended === true} />
}

/** How long the session lasts, milliseconds. */
const lengthOf = ({ expires_at }: LoginResponse): number => Date.parse(expires_at) - Date.now()

interface LoginFormProps {
  readonly result: LoginResult | undefined
  readonly onResult: (result: LoginResult | undefined) => void
  readonly ended: boolean
}

function LoginForm({ result, onResult, ended }: LoginFormProps) {
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
    onSuccess: (next, { password }) => {
      if (next.kind === 'in' || next.kind === 'second-factor') rememberTyped(password)
      onResult(next)
      if (next.kind === 'wrong') passwordField.current?.select()
    },
  })
  const { form, isPending, problems } = submission

  return (
    <SmallPage page={login.page} title={login.title} lead={ended && !result ? login.ended : undefined}>
      <form {...form} action="login">
        <Stack gap="md">
          {result && <LoginProblem result={result} />}
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
      <PasskeyOffer onResult={onResult} />
      <details className={classes.forgot}>
        <summary>{login.forgot}</summary>
        <p>{login.forgotBody}</p>
      </details>
    </SmallPage>
  )
}

/** Only where a passkey can sign someone in. */
function PasskeyOffer({ onResult }: Pick<LoginFormProps, 'onResult'>) {
  const { data: methods } = useQuery(loginMethodsQuery)
  return (
    methods?.passkeys === true &&
    canUsePasskeys() && (
      <Suspense>
        <PasskeySignIn onResult={onResult} />
      </Suspense>
    )
  )
}

function ProxySignsIn() {
  const { login } = useTexts('login')
  return (
    <SmallPage page={login.page} title={login.proxyTitle}>
      <Stack>
        <Alert role="alert" color="gate">
          {login.proxyBody}
        </Alert>
        <Button variant="default" onClick={() => window.location.reload()}>
          {login.proxyAgain}
        </Button>
      </Stack>
    </SmallPage>
  )
}
