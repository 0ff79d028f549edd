import type { ProviderSession, User } from '../../users/account-store.ts'
import type { SecretBox } from '../secret-box.ts'
import type { ProviderFacts } from './provider.ts'

export type ProviderTokens = Pick<ProviderFacts, 'refreshToken' | 'accessToken'>

/** What a session keeps of the provider's response. Sealed for its user. */
export const sealedTokens = (
  { refreshToken, accessToken, idToken = '' }: Pick<ProviderFacts, 'refreshToken' | 'accessToken' | 'idToken'>,
  { id }: Pick<User, 'id'>,
  box: SecretBox,
): Pick<ProviderSession, 'token' | 'idToken'> => ({
  token: box.seal(JSON.stringify([refreshToken ?? null, accessToken]), id),
  idToken: box.seal(idToken, id),
})

/** undefined: sealed with another secret, or for another user. */
export function openedTokens({ token }: ProviderSession, userId: string, box: SecretBox): ProviderTokens | undefined {
  const text = box.open(token, userId)
  if (text === undefined) return undefined
  const [refreshToken, accessToken] = JSON.parse(text) as [string | null, string]
  return { refreshToken: refreshToken ?? undefined, accessToken }
}
