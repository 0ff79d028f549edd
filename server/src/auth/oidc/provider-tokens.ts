import type { ProviderSession } from '../../users/accounts/session.ts'
import type { User } from '../../users/user.ts'
import type { SecretBox } from '../secret-box.ts'
import type { ProviderFacts, ProviderTokens } from './provider/provider.ts'

/** The tokens to ask the provider with, sealed for their user. */
export const sealedToken = (
  { refreshToken, accessToken }: ProviderTokens,
  { id }: Pick<User, 'id'>,
  box: SecretBox,
): string => box.seal(JSON.stringify([refreshToken, accessToken]), id)

/** What a session keeps of the provider's response. Sealed for its user. */
export const sealedTokens = (
  { idToken = '', ...tokens }: ProviderTokens & Pick<ProviderFacts, 'idToken'>,
  user: Pick<User, 'id'>,
  box: SecretBox,
): Pick<ProviderSession, 'token' | 'idToken'> => ({
  token: sealedToken(tokens, user, box),
  idToken: box.seal(idToken, user.id),
})

/** undefined: sealed with another secret, or for another user. */
export function openedTokens({ token }: ProviderSession, userId: string, box: SecretBox): ProviderTokens | undefined {
  const text = box.open(token, userId)
  if (text === undefined) return undefined
  const [refreshToken, accessToken] = JSON.parse(text) as [string | null, string]
  return { refreshToken: refreshToken ?? undefined, accessToken }
}
