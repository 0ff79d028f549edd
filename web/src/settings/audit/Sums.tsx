import { Alert, Anchor, Button, Group } from '@mantine/core'
import { IconDownload, IconEyeOff, IconTimelineEvent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AuditSummaryRow } from '../../../../server/src/api-types.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { fetchSums } from './audit.ts'
import { sumsQuery, type AuditFilter, type AuditView } from './filter.ts'
import { sortedSums, sumsCsv } from './sums.ts'
import { SumTable } from './SumTable.tsx'

interface SumsProps {
  readonly filter: AuditFilter
  readonly view: Exclude<AuditView, 'list'>
}

/** How much was watched, played, downloaded, exported and shared in a period, by user or by camera (AUD-8). */
export function Sums({ filter, view }: SumsProps) {
  const { audit } = useTexts('audit')
  const locale = useLocale()
  const titleOf = useTitles()
  // A relative period ends when it was chosen.
  const [query] = useState(() => sumsQuery(view, filter.period, Date.now()))
  const sums = useQuery({
    queryKey: queryKeys.audit.sums(query.toString()),
    queryFn: ({ signal }) => fetchSums(query, signal),
  })

  const nameOf = ({ name, removed }: AuditSummaryRow): string | undefined =>
    name === null ? undefined : view === 'cameras' && !removed ? titleOf(name) : name
  const save = (shown: readonly AuditSummaryRow[]) => {
    const title = view === 'users' ? audit.user : audit.camera
    const text = sumsCsv({ rows: shown, title, nameOf }, audit)
    saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `gatehouse-${view}`, 'csv')
  }

  if (sums.isPending) return <ListSkeleton rows={6} />
  if (!sums.data) return <ErrorState part error={sums.error} again={() => void sums.refetch()} />
  const { recorded, rows } = sums.data
  const sorted = sortedSums(rows, filter.sort, nameOf, locale)
  return (
    <>
      {sums.isError && <StaleAlert />}
      {!recorded && <NotRecorded />}
      {recorded && rows.length === 0 && (
        <EmptyState icon={IconTimelineEvent} title={audit.sums.noneTitle}>
          {audit.sums.none}
        </EmptyState>
      )}
      {sorted.length > 0 && (
        <>
          <SumTable rows={sorted} nameOf={nameOf} {...{ filter, view }} />
          <Group>
            <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={() => save(sorted)}>
              {audit.export}
            </Button>
          </Group>
        </>
      )}
    </>
  )
}

/** Sums are only of what is always in the audit log: exports and share links. */
function NotRecorded() {
  const { sums } = useTexts('audit').audit
  return (
    <Alert icon={<IconEyeOff size={20} aria-hidden />} title={sums.offTitle} color="gray">
      {sums.off({ setting: 'audit.reads', value: 'true' })}{' '}
      <Anchor component={Link} to="/settings/config" size="sm" underline="always">
        {sums.openConfig}
      </Anchor>
    </Alert>
  )
}
