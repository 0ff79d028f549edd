import type { FilterForm } from '../useFilter.ts'
import { auditSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'

/** The list of entries, or sums of viewing by user or by camera. */
export type AuditView = 'list' | 'users' | 'cameras'

/** What sums are sorted by: viewing time, a count, or the name. */
export type SumOrder = 'time' | 'downloads' | 'exports' | 'shares' | 'name'

/** What to show; an empty string matches any. Sums have only a period and an order. */
export interface AuditFilter {
  readonly view: AuditView
  readonly user: string
  /** Name of the camera. */
  readonly camera: string
  readonly action: string
  readonly result: string
  readonly sort: SumOrder
  readonly period: Period
}

/** How far back to look. `chosen` has bounds in the format of a datetime-local input, empty for none. */
export type Period =
  | { readonly of: 'all' | 'hour' | 'day' | 'week' | 'month' }
  | { readonly of: 'chosen'; readonly from: string; readonly to: string }

export const noFilter: AuditFilter = {
  view: 'list',
  user: '',
  camera: '',
  action: '',
  result: '',
  sort: 'time',
  period: { of: 'all' },
}

/** Number of filters that hide entries of the list. */
export const activeFilters = ({ user, camera, action, result, period }: AuditFilter): number =>
  [user.trim(), camera, action, result, period.of !== noFilter.period.of].filter(Boolean).length

const views: readonly AuditView[] = ['list', 'users', 'cameras']
const orders: readonly SumOrder[] = ['time', 'downloads', 'exports', 'shares', 'name']
const results = ['', 'success', 'denied', 'failure'] as const
const periods: readonly Period['of'][] = ['all', 'hour', 'day', 'week', 'month', 'chosen']

export const periodOf = (of: Period['of']): Period => (of === 'chosen' ? { of, from: '', to: '' } : { of })

const defaultPeriod = (view: AuditView): Period['of'] => (view === 'list' ? 'all' : 'month')

/** The filter after a change of the view: a chosen period stays. */
export const withView = ({ view: before, period }: AuditFilter, view: AuditView): AuditFilter => ({
  ...noFilter,
  view,
  period: period.of === defaultPeriod(before) ? periodOf(defaultPeriod(view)) : period,
})

export const auditFilterForm: FilterForm<AuditFilter, ReturnType<typeof auditSearch>> = {
  search: auditSearch,
  read: ({ view: of, user = '', camera = '', action = '', result, sort, period: length, from = '', to = '' }) => {
    const view = oneOf(views, of, 'list')
    const known = oneOf(periods, length, defaultPeriod(view))
    const period: Period = known === 'chosen' ? { of: known, from, to } : { of: known }
    if (view !== 'list') return { ...noFilter, view, sort: oneOf(orders, sort, 'time'), period }
    return { ...noFilter, user, camera, action, result: oneOf(results, result, ''), period }
  },
  write: ({ view, user, camera, action, result, sort, period }) => ({
    ...(view === 'list' ? { user, camera, action, result } : { view, sort: sort === 'time' ? undefined : sort }),
    period: period.of === defaultPeriod(view) ? undefined : period.of,
    ...(period.of === 'chosen' && { from: period.from, to: period.to }),
  }),
}

/** Milliseconds per hour. */
const hour = 3_600_000
const lengths = { all: undefined, hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour }

/** The query of `GET /api/audit`. @param now Unix milliseconds */
export function auditQuery(filter: AuditFilter, now: number): URLSearchParams {
  const { user, camera, action, result, period } = filter
  return new URLSearchParams([...given({ user: user.trim(), camera, action, result }), ...given(bounds(period, now))])
}

/** The query of `GET /api/audit/summary`. @param now Unix milliseconds */
export const sumsQuery = (view: Exclude<AuditView, 'list'>, period: Period, now: number): URLSearchParams =>
  new URLSearchParams([['by', view === 'users' ? 'user' : 'camera'], ...given(bounds(period, now))])

const given = (parameters: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(parameters).filter(([, value]) => value !== '')

/** A period's bounds in Unix seconds. */
function bounds(period: Period, now: number): Readonly<Record<string, string>> {
  if (period.of === 'chosen') {
    // The chosen end minute is included.
    const to = seconds(period.to)
    return { after: seconds(period.from), before: to === '' ? '' : String(Number(to) + 60) }
  }
  const length = lengths[period.of]
  return length === undefined ? {} : { after: String(Math.floor((now - length) / 1000)) }
}

/** Unix seconds of a local time, for example `2026-01-31T23:59`; empty if it is invalid. */
function seconds(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) || at < 0 ? '' : String(at / 1000)
}
