import { NativeSelect } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { oneOf } from '../../lib/one-of.ts'
import { TimeInput } from '../../ui/forms/TimeInput.tsx'
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
          <TimeInput
            label={audit.from}
            value={period.from}
            max={period.to || undefined}
            onChange={(from) => from !== undefined && onType({ ...filter, period: { ...period, from } })}
          />
          <TimeInput
            label={audit.to}
            value={period.to}
            min={period.from || undefined}
            onChange={(to) => to !== undefined && onType({ ...filter, period: { ...period, to } })}
          />
        </>
      )}
    </>
  )
}
