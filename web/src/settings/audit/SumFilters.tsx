import { NativeSelect } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { oneOf } from '../../lib/one-of.ts'
import classes from './AuditPage.module.css'
import type { SumOrder } from './filter.ts'
import { PeriodFields, type FiltersProps } from './PeriodFields.tsx'

/** The time range and the order of sums. */
export function SumFilters({ filter, onChoose, onType }: FiltersProps) {
  const { audit } = useTexts('audit')
  const orders = Object.keys(audit.sums.orders) as SumOrder[]
  return (
    <div className={classes.filters} role="search">
      <PeriodFields filter={filter} onChoose={onChoose} onType={onType} />
      <NativeSelect
        label={audit.sums.order}
        value={filter.sort}
        onChange={(event) => onChoose({ ...filter, sort: oneOf(orders, event.currentTarget.value, 'time') })}
        data={orders.map((value) => ({ value, label: audit.sums.orders[value] }))}
      />
    </div>
  )
}
