import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AuditSummaryRow } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { formatDuration } from '../../lib/format-time.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Fact } from '../../ui/lists/FactCard.tsx'
import { FactGrid } from '../../ui/lists/FactGrid.tsx'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import { viewingActions } from './detail.ts'
import { auditFilterForm, noFilter, type AuditFilter, type AuditView } from './filter.ts'
import bordered from '../../ui/lists/BorderedList.module.css'
import classes from './SumTable.module.css'

interface SumTableProps {
  readonly rows: readonly AuditSummaryRow[]
  readonly nameOf: (row: AuditSummaryRow) => string | undefined
  readonly filter: AuditFilter
  readonly view: Exclude<AuditView, 'list'>
}

type Column = keyof Texts<'audit'>['audit']['sums']['columns']

/** Two removed cameras can have the same name. */
const keyOf = ({ name, removed }: AuditSummaryRow, at: number): string => (removed ? `${at}` : `of ${name}`)

/** Sums as a table, on a phone as cards. */
export function SumTable({ rows, ...props }: SumTableProps) {
  const { audit } = useTexts('audit')
  const columns = Object.entries(audit.sums.columns) as [Column, string][]
  const label = audit.sums.labels[props.view]
  if (useNarrow('medium')) {
    return (
      <ul className={bordered.list} aria-label={label}>
        {rows.map((row, at) => (
          <li key={keyOf(row, at)} className={classes.card}>
            <Name row={row} {...props} />
            <FactGrid>
              {columns
                .filter(([column]) => row[column] > 0)
                .map(([column, title]) => (
                  <Fact key={column} term={title}>
                    <Amount row={row} column={column} />
                  </Fact>
                ))}
            </FactGrid>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ScrollableTable label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{props.view === 'users' ? audit.user : audit.camera}</th>
            {columns.map(([column, title]) => (
              <th key={column} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              <th scope="row">
                <Name row={row} {...props} />
              </th>
              {columns.map(([column]) => (
                <td key={column} className={classes.amount}>
                  <Amount row={row} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollableTable>
  )
}

/** The user or camera, with a link to its entries in the same period where the list can be filtered so. */
function Name({ row, nameOf, filter: { period }, view }: Omit<SumTableProps, 'rows'> & { row: AuditSummaryRow }) {
  const { sums } = useTexts('audit').audit
  const { name, removed } = row
  if (name === null) return <span className={classes.unknown}>{sums.noName[view]}</span>
  if (removed) {
    return (
      <span className={classes.name}>
        {name}
        <span className={classes.hint}>{sums.removed}</span>
      </span>
    )
  }
  const entries = { ...noFilter, period, action: viewingActions.join(), [view === 'users' ? 'user' : 'camera']: name }
  return (
    <Anchor
      className={classes.link}
      renderRoot={(props) => (
        <Link {...props} to="/settings/audit" search={auditFilterForm.search(auditFilterForm.write(entries))} />
      )}
    >
      {nameOf(row)}
    </Anchor>
  )
}

/** A time with the number of uses, or a number. */
function Amount({ row, column }: { row: AuditSummaryRow; column: Column }) {
  const { audit } = useTexts('audit')
  const locale = useLocale()
  const count = row[column]
  if (count === 0) return '–'
  if (column !== 'watched' && column !== 'played') return new Intl.NumberFormat(locale).format(count)
  return (
    <>
      {formatDuration(Math.round(row[`${column}_duration`]), locale)}
      <span className={classes.hint}>{audit.times({ count })}</span>
    </>
  )
}
