import { Alert } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { messageOf } from '../../api/failure.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { formatDuration } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { GoToLink } from '../../ui/feedback/GoToLink.tsx'
import type { LoginResult } from './sign-in.ts'

type Failed = Exclude<LoginResult, { kind: 'in' | 'second-factor' }>

/** Why a login failed, with a countdown if the user has to wait. */
export function LoginProblem({ result }: { result: LoginResult }) {
  const texts = useTexts('login')
  const locale = useLocale()
  const now = useNow(500)
  if (result.kind === 'in' || result.kind === 'second-factor') return null

  const until = 'until' in result ? result.until : undefined
  const left = until === undefined ? undefined : Math.ceil((until - now) / 1000)
  const waiting = left !== undefined && left > 0
  const over = left !== undefined && left <= 0

  return (
    <Alert
      // Announced once when it appears, not every second.
      role="alert"
      aria-atomic
      color={over ? 'gate' : 'red'}
      variant="light"
      icon={waiting || over ? <IconClock aria-hidden /> : <IconAlertCircle aria-hidden />}
    >
      <span aria-live={waiting ? 'off' : 'polite'}>
        {over ? texts.login.canTryAgain : textOf(result, waiting ? formatDuration(left, locale) : undefined, texts)}
      </span>
      {result.kind === 'other' && <GoToLink error={result.error} />}
    </Alert>
  )
}

function textOf(result: Failed, wait: string | undefined, texts: Texts<'login'>): string {
  const { login } = texts
  switch (result.kind) {
    case 'wrong':
      return login.failed
    case 'too-many':
      return wait === undefined ? login.tooMany : login.tooManyWait({ time: wait })
    case 'busy':
      return wait === undefined ? login.busy : login.busyWait({ time: wait })
    case 'network':
      return login.network
    case 'not-kept':
      return login.cookieBlocked
    case 'proxy':
      return login.proxyBody
    case 'other':
      return messageOf(result.error, texts)
  }
}
