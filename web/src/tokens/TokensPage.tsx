import { Button } from '@mantine/core'
import { IconApi, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { loadOf } from '../api/load.ts'
import { useTexts } from '../i18n/texts.ts'
import { hasAccount, useMe } from '../session/session.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../ui/feedback/ListSkeleton.tsx'
import { NoAccount } from './NoAccount.tsx'
import { ownTokensQuery } from './queries.ts'
import { TokenList } from './TokenList.tsx'
import { TokensFrame } from './TokensFrame.tsx'

/** The user's own API tokens. */
export function TokensPage() {
  const { list } = useTexts('tokens').tokens
  const mayHaveTokens = hasAccount(useMe())
  return (
    <TokensFrame title={list.title} lead={list.lead} action={mayHaveTokens && <NewTokenLink />}>
      {mayHaveTokens ? <OwnTokens /> : <NoAccount />}
    </TokensFrame>
  )
}

function NewTokenLink() {
  const { list } = useTexts('tokens').tokens
  return (
    <Button
      renderRoot={(props) => <Link to="/account/tokens/new" {...props} />}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {list.create}
    </Button>
  )
}

function OwnTokens() {
  const { list } = useTexts('tokens').tokens
  const tokens = loadOf(useQuery(ownTokensQuery))
  switch (tokens.state) {
    case 'loading':
      return <ListSkeleton />
    case 'failed':
      return <ErrorState part error={tokens.error} again={tokens.again} />
    case 'ready':
      return tokens.value.length === 0 ? (
        <EmptyState icon={IconApi} title={list.noneTitle}>
          {list.none}
        </EmptyState>
      ) : (
        <TokenList tokens={tokens.value} />
      )
  }
}
