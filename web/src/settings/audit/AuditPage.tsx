import { Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter } from '../useFilter.ts'
import classes from './AuditPage.module.css'
import { Entries } from './Entries.tsx'
import { EntryFilters } from './EntryFilters.tsx'
import { ExportCsv } from './ExportCsv.tsx'
import { auditFilterForm, noFilter, withView, type AuditView } from './filter.ts'
import { SumFilters } from './SumFilters.tsx'
import { Sums } from './Sums.tsx'

/** The audit log: its entries, with filters and export, and sums of viewing by user or by camera. */
export function AuditPage() {
  const texts = useTexts('audit', 'settings')
  const { audit } = texts
  const queries = useQueryClient()
  const { filter, choose, type } = useFilter(auditFilterForm)
  const [requested] = useDebouncedValue(filter, 300)
  const { view } = filter
  const key = JSON.stringify(requested)

  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.audit} lead={view === 'list' ? audit.lead : audit.sums.lead}>
        <div className={pageClasses.pair}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => void queries.invalidateQueries({ queryKey: queryKeys.audit.all })}
          >
            {audit.refresh}
          </Button>
          {view === 'list' && <ExportCsv filter={filter} />}
        </div>
      </SectionHead>
      <SegmentedControl
        className={classes.views}
        aria-label={audit.view}
        value={view}
        onChange={(chosen) => choose(withView(filter, chosen))}
        data={(Object.keys(audit.views) as AuditView[]).map((value) => ({ value, label: audit.views[value] }))}
      />
      {view === 'list' ? (
        <EntryFilters filter={filter} onChoose={choose} onType={type} />
      ) : (
        <SumFilters filter={filter} onChoose={choose} onType={type} />
      )}
      {requested.view === 'list' ? (
        <Entries key={key} filter={requested} onClear={() => choose(noFilter)} />
      ) : (
        <Sums key={key} filter={requested} view={requested.view} />
      )}
    </div>
  )
}
