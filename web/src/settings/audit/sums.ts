import type { AuditSummaryRow } from '../../../../server/src/api-types.ts'
import type { SumOrder } from './filter.ts'

const amounts: Readonly<Record<Exclude<SumOrder, 'name'>, (row: AuditSummaryRow) => number>> = {
  time: (row) => row.watched_duration + row.played_duration,
  downloads: (row) => row.downloads,
  exports: (row) => row.exports,
  shares: (row) => row.shares,
}

/**
 * The rows by name, or by an amount, largest first; rows without a name are last among equals.
 *
 * @param nameOf the name that is shown; undefined for a row without one
 */
export function sortedSums(
  rows: readonly AuditSummaryRow[],
  order: SumOrder,
  nameOf: (row: AuditSummaryRow) => string | undefined,
  locale: string,
): AuditSummaryRow[] {
  const names = new Intl.Collator(locale, { numeric: true })
  const byName = (one: AuditSummaryRow, other: AuditSummaryRow): number => {
    const [a, b] = [nameOf(one), nameOf(other)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return names.compare(a, b)
  }
  if (order === 'name') return rows.toSorted(byName)
  const amount = amounts[order]
  return rows.toSorted((one, other) => amount(other) - amount(one) || byName(one, other))
}
