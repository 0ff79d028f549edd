import { Text, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { loadOf } from '../api/load.ts'
import { useTexts } from '../i18n/texts.ts'
import { LinkList } from '../links/LinkList.tsx'
import { ownLinksQuery } from '../links/queries.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../ui/feedback/ListSkeleton.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import classes from './AccountLinksPage.module.css'

/** The share links that the signed-in user created. */
export function AccountLinksPage() {
  const { links } = useTexts('links')
  return (
    <div className={classes.page}>
      <PageTitle of={links.title} />
      <header>
        <Title order={1} size="h2">
          {links.title}
        </Title>
        <Text c="dimmed" mt={2}>
          {links.lead}
        </Text>
      </header>
      <OwnLinks />
    </div>
  )
}

function OwnLinks() {
  const { links } = useTexts('links')
  const own = loadOf(useQuery(ownLinksQuery))
  switch (own.state) {
    case 'loading':
      return <ListSkeleton rows={3} />
    case 'failed':
      return <ErrorState error={own.error} again={own.again} part />
    case 'ready':
      return own.value.length === 0 ? (
        <EmptyState icon={IconLink} title={links.noneTitle}>
          {links.none}
        </EmptyState>
      ) : (
        <LinkList links={own.value} />
      )
  }
}
