import { NativeSelect, TextInput } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { oneOf } from '../../lib/one-of.ts'
import { periodOf, type AuditFilter, type Period } from './filter.ts'

export interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChoose: (filter: AuditFilter) => void
  readonly onType: (filter: AuditFilter) => void
}

/** The fields of a filter's time range. */
export function PeriodFields({ filter, onChoose, onType }: FiltersProps) {
  const { audit } = useTexts('audit')
  const { period } = filter
  const periods = Object.keys(audit.periods) as Period['of'][]
  return (
    <>
      <NativeSelect
        label={audit.period}
        value={period.of}
        onChange={(event) =>
          onChoose({ ...filter, period: periodOf(oneOf(periods, event.currentTarget.value, period.of)) })
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
    </>
  )
}
