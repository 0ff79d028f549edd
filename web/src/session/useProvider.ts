import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/texts.ts'
import { loginMethodsQuery } from './session.ts'

export interface SignInProvider {
  readonly name: string
  /** Whether users in general can't sign in with a password. */
  readonly isOnly: boolean
}

/** The identity provider that users sign in with; undefined: none, or not known yet. */
export function useProvider(): SignInProvider | undefined {
  const { data } = useQuery({ ...loginMethodsQuery, staleTime: 60_000 })
  return data?.oidc ? { name: data.oidc.name, isOnly: !data.password } : undefined
}

/** The name of the identity provider, for a user who signs in with it. */
export function useProviderName(): string {
  const { account } = useTexts()
  return useProvider()?.name ?? account.unnamedProvider
}
