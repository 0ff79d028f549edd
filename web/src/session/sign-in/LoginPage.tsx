import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { loadOf } from '../../api/load.ts'
import { keptPlace, takePlace } from '../../api/place.ts'
import { useTexts } from '../../i18n/texts.ts'
import type { LoginMethods, LoginResponse } from '../../../../server/src/api-types.ts'
import { PasskeySignIn, SecondStep } from './lazy-factors.ts'
import classes from './LoginPage.module.css'
import { LoginProblem } from './LoginProblem.tsx'
import { canUsePasskeys } from '../factors/passkey.ts'
import { forgetTyped } from './fresh-login.ts'
import { PasswordSignIn } from './PasswordSignIn.tsx'
import { ProviderProblem, ProviderSignIn } from './ProviderSignIn.tsx'
import { returnPath } from './return-path.ts'
import { forget, loginMethodsQuery, whoIsItQuery } from '../session.ts'
import { rememberLength } from '../session-length.ts'
import type { LoginResult } from './sign-in.ts'
import type { SignInFailure } from './sign-in-failure.ts'
import { SmallPage } from '../SmallPage.tsx'

/** Signs in and returns to the previous page. A user who is already signed in is redirected immediately. */
export function LoginPage() {
  const { history } = useRouter()
  const { return: requested, ended, failure } = useSearch({ from: '/login' })
  const queries = useQueryClient()
  // Waited for, within reason, so that the page doesn't change once it is shown.
  const { data: methods, isPending } = useQuery(loginMethodsQuery)
  const mayWait = useMayWait()
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
  const isIn = useRef(false)
  // A second step that is left, for example to another page, needs the password no more.
  useEffect(
    () => () => {
      if (!isIn.current) forgetTyped()
    },
    [],
  )
  useEffect(() => {
    if (known) proceedEffect()
  }, [known])

  if (known || whoIsIt.state === 'loading' || (isPending && mayWait)) return <Loading />
  if (result?.kind === 'proxy') return <ProxySignsIn />
  const next = (following: LoginResult | undefined) => {
    if (following?.kind !== 'in' && following?.kind !== 'second-factor') forgetTyped()
    if (following?.kind !== 'in') return setResult(following)
    isIn.current = true
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
  return (
    <SignIn
      methods={methods}
      page={returnPath(requested ?? keptPlace(), document.baseURI)}
      failure={failure}
      result={result}
      onResult={next}
      ended={ended === true}
    />
  )
}

/** Whether the page may still wait for the methods. */
function useMayWait(): boolean {
  const [mayWait, setMayWait] = useState(true)
  useTimeout(() => setMayWait(false), 2000, { autoInvoke: true })
  return mayWait
}

/** How long the session lasts, milliseconds. */
const lengthOf = ({ expires_at }: LoginResponse): number => Date.parse(expires_at) - Date.now()

interface SignInProps {
  readonly methods: LoginMethods | undefined
  /** The page to open afterwards, with the base path. */
  readonly page: string
  readonly failure: SignInFailure | undefined
  readonly result: LoginResult | undefined
  readonly onResult: (result: LoginResult | undefined) => void
  readonly ended: boolean
}

/** The ways to sign in: with a password if the service didn't say. */
function SignIn({ methods, page, failure, result, onResult, ended }: SignInProps) {
  const { login } = useTexts('login')
  const [isRevealed, setRevealed] = useState(false)
  const provider = methods?.oidc ?? undefined
  const isProviderOnly = provider !== undefined && methods?.password === false
  const problem = result ? (
    <LoginProblem result={result} />
  ) : (
    provider && failure && <ProviderProblem failure={failure} name={provider.name} />
  )
  const withPassword = (
    <>
      <PasswordSignIn onResult={onResult} />
      {provider && !isProviderOnly && (
        <>
          <p className={classes.or}>{login.or}</p>
          <ProviderSignIn provider={provider} page={page} />
        </>
      )}
      {methods?.passkeys === true && <PasskeyOffer onResult={onResult} />}
      <Forgot />
    </>
  )

  return (
    <SmallPage page={login.page} title={login.title} lead={ended && !problem ? login.ended : undefined}>
      <Stack gap="md">
        {problem}
        {isProviderOnly && <ProviderSignIn provider={provider} page={page} main={!isRevealed} />}
        {isProviderOnly && !isRevealed ? (
          <Anchor
            component="button"
            type="button"
            size="sm"
            className={classes.password}
            onClick={() => setRevealed(true)}
          >
            {login.withPassword}
          </Anchor>
        ) : (
          <>
            {isProviderOnly && <p className={classes.or}>{login.or}</p>}
            {withPassword}
          </>
        )}
      </Stack>
    </SmallPage>
  )
}

/** Only where the browser can use passkeys. */
const PasskeyOffer = ({ onResult }: Pick<SignInProps, 'onResult'>) =>
  canUsePasskeys() && (
    <Suspense>
      <PasskeySignIn onResult={onResult} />
    </Suspense>
  )

function Forgot() {
  const { login } = useTexts('login')
  return (
    <details className={classes.forgot}>
      <summary>{login.forgot}</summary>
      <p>{login.forgotBody}</p>
    </details>
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
