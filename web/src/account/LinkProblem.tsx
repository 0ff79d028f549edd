import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { goToOf, messageOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'
import { SmallPage } from '../session/SmallPage.tsx'
import { endOf, reasonOf } from './one-time-link.ts'

interface LinkProblemProps {
  readonly error: Error
  /** Tries again; undefined if that can't help. */
  readonly again?: () => void
}

/** Why a link can't be used, and what to do. */
export function LinkProblem({ error, again }: LinkProblemProps) {
  const texts = useTexts('login', 'one-time-link')
  const { login, oneTimeLink, failure } = texts
  const end = endOf(error)
  const byProxy = reasonOf(error) === 'proxy-auth-enabled'
  const title = end ? oneTimeLink[end] : byProxy ? login.proxyTitle : failure.title
  const goTo = goToOf(error)

  return (
    <SmallPage page={title} title={title}>
      <Stack role="alert">
        <Text>{byProxy ? login.proxyBody : messageOf(error, texts)}</Text>
        {goTo ? (
          <Button component="a" href={goTo.href}>
            {failure.elsewhereGo}
          </Button>
        ) : end ? (
          <ToLogin />
        ) : (
          again && <Button onClick={again}>{texts.tryAgain}</Button>
        )}
      </Stack>
    </SmallPage>
  )
}

export function ToLogin() {
  const { login } = useTexts('login')
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/login" {...props} />}>
      {login.submit}
    </Button>
  )
}
