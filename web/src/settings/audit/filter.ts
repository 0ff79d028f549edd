import type { FilterForm } from '../useFilter.ts'
import { auditSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'

/** The entries to show; an empty string matches any. */
export interface AuditFilter {
  readonly user: string
  readonly action: string
  readonly result: string
  readonly period: Period
}

/** How far back to look. `chosen` has bounds in the format of a datetime-local input, empty for none. */
export type Period =
  | { readonly of: 'all' | 'hour' | 'day' | 'week' | 'month' }
  | { readonly of: 'chosen'; readonly from: string; readonly to: string }

export const noFilter: AuditFilter = { user: '', action: '', result: '', period: { of: 'all' } }

const results = ['', 'success', 'denied', 'failure'] as const
const periods: readonly Period['of'][] = ['all', 'hour', 'day', 'week', 'month', 'chosen']

export const periodOf = (of: Period['of']): Period => (of === 'chosen' ? { of, from: '', to: '' } : { of })

export const auditFilterForm: FilterForm<AuditFilter, ReturnType<typeof auditSearch>> = {
  search: auditSearch,
  read: ({ user = '', action = '', result, period, from = '', to = '' }) => {
    const of = oneOf(periods, period, 'all')
    return { user, action, result: oneOf(results, result, ''), period: of === 'chosen' ? { of, from, to } : { of } }
  },
  write: ({ user, action, result, period }) => ({
    user,
    action,
    result,
    period: period.of === 'all' ? undefined : period.of,
    ...(period.of === 'chosen' && { from: period.from, to: period.to }),
  }),
}

/** Milliseconds per hour. */
const hour = 3_600_000
const lengths = { all: undefined, hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour }

/** The query of `GET /api/audit`. @param now Unix milliseconds */
export function auditQuery({ user, action, result, period }: AuditFilter, now: number): URLSearchParams {
  const query = new URLSearchParams()
  const set = (name: string, value: string) => value && query.set(name, value)
  set('user', user.trim())
  set('action', action)
  set('result', result)
  if (period.of === 'chosen') {
    set('after', seconds(period.from))
    // The chosen end minute is included.
    const to = seconds(period.to)
    if (to) query.set('before', String(Number(to) + 60))
  } else {
    const length = lengths[period.of]
    if (length !== undefined) query.set('after', String(Math.floor((now - length) / 1000)))
  }
  return query
}

/** Unix seconds of a local time, for example `2026-01-31T23:59`; empty if it is invalid. */
function seconds(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) || at < 0 ? '' : String(at / 1000)
}
