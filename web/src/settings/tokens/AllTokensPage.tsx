import { IconApi } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTexts } from '../../i18n/texts.ts'
import { allTokensQuery } from '../../tokens/queries.ts'
import { TokenList } from '../../tokens/TokenList.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { LoadMore } from '../../ui/lists/LoadMore.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import classes from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'

/** The API tokens of all users. */
export function AllTokensPage() {
  const { settings, tokens } = useTexts('settings', 'tokens')
  return (
    <div className={classes.page}>
      <SectionHead title={settings.sections.tokens} lead={tokens.list.allLead} />
      <AllTokens />
    </div>
  )
}

function AllTokens() {
  const { list } = useTexts('tokens').tokens
  const pages = useInfiniteQuery(allTokensQuery)
  if (pages.isPending) return <ListSkeleton />
  if (!pages.data) return <ErrorState part error={pages.error} again={() => void pages.refetch()} />
  const tokens = pages.data.pages.flatMap((page) => page.tokens)
  if (tokens.length === 0) {
    return (
      <EmptyState icon={IconApi} title={list.noneTitle}>
        {list.noneAtAll}
      </EmptyState>
    )
  }
  return (
    <>
      {pages.isError && <StaleAlert />}
      <TokenList tokens={tokens} withOwner />
      <LoadMore query={pages} label={list.more} />
    </>
  )
}
