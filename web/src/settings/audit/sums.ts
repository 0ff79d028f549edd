import type { AuditSummaryRow } from '../../../../server/src/api-types.ts'
import type { Texts } from '../../i18n/texts.ts'
import { csvLine, csvStart } from '../../../../server/src/shared/with-web/csv.ts'
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

interface SumsToSave {
  readonly rows: readonly AuditSummaryRow[]
  /** Of the first column. */
  readonly title: string
  readonly nameOf: (row: AuditSummaryRow) => string | undefined
}

/** The sums as CSV: amounts as numbers, times in seconds. */
export function sumsCsv({ rows, title, nameOf }: SumsToSave, { sums }: Texts<'audit'>['audit']): string {
  const { watched, played, snapshots, downloads, exports, shares } = sums.columns
  const inSeconds = (column: string) => sums.seconds({ column })
  const titles = [title, watched, inSeconds(watched), played, inSeconds(played), snapshots, downloads, exports, shares]
  const lines = rows.map((row) => {
    const name = nameOf(row) ?? ''
    const watching = [row.watched, Math.round(row.watched_duration), row.played, Math.round(row.played_duration)]
    const amounts = [...watching, row.snapshots, row.downloads, row.exports, row.shares]
    return csvLine([row.removed ? `${name} (${sums.removed})` : name, ...amounts.map(String)])
  })
  return [csvStart, csvLine(titles), ...lines].join('')
}
