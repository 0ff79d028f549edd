import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewApiTokenResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { hasAccount, useMe } from '../session/session.ts'
import { CreatedToken } from './CreatedToken.tsx'
import { NoAccount } from './NoAccount.tsx'
import { TokenForm } from './TokenForm.tsx'
import { TokensFrame } from './TokensFrame.tsx'

const route = getRouteApi('/framed/account/tokens/new')

/** The form for a new token, filled in by the link that leads to it, and then the token. */
export function NewTokenPage() {
  const { form, created } = useTexts('tokens').tokens
  const mayHaveTokens = hasAccount(useMe())
  const search = route.useSearch()
  const [token, setToken] = useState<NewApiTokenResponse>()
  if (!mayHaveTokens) {
    return (
      <TokensFrame title={form.title} lead={form.lead}>
        <NoAccount />
      </TokensFrame>
    )
  }
  if (token) {
    return (
      <TokensFrame title={created.title({ name: token.name })} lead={created.lead}>
        <CreatedToken token={token} />
      </TokensFrame>
    )
  }
  return (
    <TokensFrame title={form.title} lead={form.lead}>
      {/* Another link fills it in again. */}
      <TokenForm key={JSON.stringify(search)} search={search} onCreated={setToken} />
    </TokensFrame>
  )
}
