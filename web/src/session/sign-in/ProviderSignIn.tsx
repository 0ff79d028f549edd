import { Alert, Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTexts } from '../../i18n/texts.ts'
import { basePath } from '../../lib/base.ts'
import classes from './LoginPage.module.css'
import { providerLink, type Provider } from './provider-link.ts'
import type { SignInFailure } from './sign-in-failure.ts'

interface ProviderSignInProps {
  readonly provider: Provider
  /** The page to open afterwards, with the base path. */
  readonly page: string
  /** Whether this is how users sign in, and not one of several ways. */
  readonly main?: boolean
}

/** Leads to the identity provider. */
export function ProviderSignIn({ provider, page, main = false }: ProviderSignInProps) {
  const { login } = useTexts('login')
  return (
    <Button
      component="a"
      href={providerLink(provider, page, basePath)}
      variant={main ? 'filled' : 'default'}
      size="md"
      fullWidth
      classNames={{ root: classes.provider ?? '', label: classes.providerLabel ?? '' }}
    >
      {login.withProvider({ name: provider.name })}
    </Button>
  )
}

/** Why the sign-in with the identity provider failed, and what helps. */
export function ProviderProblem({ failure, name }: { failure: SignInFailure; name: string }) {
  const { login } = useTexts('login')
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle aria-hidden />}>
      {login.failures[failure]({ name })}
    </Alert>
  )
}
