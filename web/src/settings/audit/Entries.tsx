import { Button } from '@mantine/core'
import { IconTimelineEvent } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useTexts } from '../../i18n/texts.ts'
import bordered from '../../ui/lists/BorderedList.module.css'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { LoadMore } from '../../ui/lists/LoadMore.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { auditPage } from './audit.ts'
import { Entry } from './Entry.tsx'
import { auditQuery, type AuditFilter } from './filter.ts'

/** Entries per request. */
const pageSize = 100

/** The entries that match a filter, newest first. */
export function Entries({ filter, onClear }: { filter: AuditFilter; onClear: () => void }) {
  const { audit } = useTexts('audit')
  const titleOf = useTitles()
  // The period ends when the filter was chosen, so that all pages of the list match.
  const [query] = useState(() => auditQuery(filter, Date.now()))
  const pages = useInfiniteQuery({
    queryKey: queryKeys.audit.list(query.toString()),
    queryFn: ({ pageParam, signal }) => auditPage(query, pageParam, pageSize, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    // A list of many pages isn't fetched again at each focus of the window, but when the page is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  if (pages.isPending) return <ListSkeleton rows={6} />
  if (!pages.data) return <ErrorState part error={pages.error} again={() => void pages.refetch()} />
  const entries = pages.data.pages.flatMap((page) => page.entries)
  return (
    <>
      {pages.isError && <StaleAlert />}
      {entries.length === 0 ? (
        <EmptyState
          icon={IconTimelineEvent}
          title={audit.noneTitle}
          action={
            <Button variant="default" onClick={onClear}>
              {audit.clear}
            </Button>
          }
        >
          {audit.none}
        </EmptyState>
      ) : (
        <>
          <ol className={bordered.list} aria-label={audit.list}>
            {entries.map((line) => (
              <Entry key={line.id} line={line} titleOf={titleOf} />
            ))}
          </ol>
          <LoadMore query={pages} label={audit.more} end={audit.end} />
        </>
      )}
    </>
  )
}
