import { Alert, Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconRefresh, IconTimelineEvent } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import pageClasses from '../Page.module.css'
import { oneOf } from '../../lib/one-of.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter } from '../useFilter.ts'
import { useSuggestedUsers } from '../../users/useSuggestedUsers.ts'
import { LoadMore } from '../../ui/LoadMore.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { auditPage } from './audit.ts'
import bordered from '../../ui/BorderedList.module.css'
import classes from './AuditPage.module.css'
import { viewingActions } from './detail.ts'
import { Entry } from './Entry.tsx'
import { ExportCsv } from './ExportCsv.tsx'
import { auditFilterForm, auditQuery, noFilter, periodOf, type AuditFilter, type Period } from './filter.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Entries per request. */
const pageSize = 100

/** The audit log, with filters and export. */
export function AuditPage() {
  const texts = useTexts('audit', 'settings')
  const { audit } = texts
  const queries = useQueryClient()
  const { filter, choose, type } = useFilter(auditFilterForm)
  const [requested] = useDebouncedValue(filter, 300)

  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.audit} lead={audit.lead}>
        <div className={pageClasses.pair}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => void queries.invalidateQueries({ queryKey: queryKeys.audit.all })}
          >
            {audit.refresh}
          </Button>
          <ExportCsv filter={filter} />
        </div>
      </SectionHead>
      <Filters filter={filter} onChoose={choose} onType={type} />
      <Entries key={JSON.stringify(requested)} filter={requested} onClear={() => choose(noFilter)} />
    </div>
  )
}

interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChoose: (filter: AuditFilter) => void
  readonly onType: (filter: AuditFilter) => void
}

function Filters({ filter, onChoose, onType }: FiltersProps) {
  const { audit } = useTexts('audit')
  // Entries have names: those of several users with the same name are found together.
  const suggested = [...new Set(useSuggestedUsers(filter.user, 8).map(({ username }) => username))]
  const { period } = filter
  // The URL can contain an action without a label.
  const actions = {
    ...(filter.action && { [filter.action]: filter.action }),
    [viewingActions.join()]: audit.viewing,
    ...audit.actions,
  }
  const periods = Object.keys(audit.periods) as Period['of'][]

  return (
    <div className={classes.filters} role="search">
      <Autocomplete
        label={audit.user}
        placeholder={audit.userHint}
        limit={8}
        maxLength={256}
        data={suggested}
        value={filter.user}
        onChange={(user) => onType({ ...filter, user })}
        autoComplete="off"
      />
      <NativeSelect
        label={audit.action}
        value={filter.action}
        onChange={(event) => onChoose({ ...filter, action: event.currentTarget.value })}
        data={[
          { value: '', label: audit.anyAction },
          ...Object.entries(actions).map(([value, label]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        label={audit.result}
        value={filter.result}
        onChange={(event) => onChoose({ ...filter, result: event.currentTarget.value })}
        data={[
          { value: '', label: audit.anyResult },
          ...Object.entries(audit.results).map(([value, label]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        label={audit.period}
        value={period.of}
        onChange={(event) =>
          onChoose({ ...filter, period: periodOf(oneOf(periods, event.currentTarget.value, 'all')) })
        }
        data={periods.map((of) => ({ value: of, label: audit.periods[of] }))}
      />
      {period.of === 'chosen' && (
        <>
          <TextInput
            type="datetime-local"
            label={audit.from}
            value={period.from}
            max={period.to || undefined}
            onChange={(event) => onType({ ...filter, period: { ...period, from: event.currentTarget.value } })}
          />
          <TextInput
            type="datetime-local"
            label={audit.to}
            value={period.to}
            min={period.from || undefined}
            onChange={(event) => onType({ ...filter, period: { ...period, to: event.currentTarget.value } })}
          />
        </>
      )}
    </div>
  )
}

function Entries({ filter, onClear }: { filter: AuditFilter; onClear: () => void }) {
  const texts = useTexts('audit', 'reasons')
  const { audit } = texts
  // The period ends when the filter was chosen, so that all pages of the list match.
  const [query] = useState(() => auditQuery(filter, Date.now()))
  const pages = useInfiniteQuery({
    queryKey: queryKeys.audit.list(query.toString()),
    queryFn: ({ pageParam, signal }) => auditPage(query, pageParam, pageSize, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })

  if (pages.isPending) return <ListSkeleton rows={6} />
  if (!pages.data) return <ErrorState part error={pages.error} again={() => void pages.refetch()} />
  const entries = pages.data.pages.flatMap((page) => page.entries)
  return (
    <>
      {pages.isError && (
        <Alert role="status" color="yellow">
          {texts.failure.stale}
        </Alert>
      )}
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
              <Entry key={line.id} line={line} />
            ))}
          </ol>
          <LoadMore query={pages} label={audit.more} end={audit.end} />
        </>
      )}
    </>
  )
}
