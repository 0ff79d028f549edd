/** What to show; empty for any. */
export interface AuditFilter {
  readonly user: string
  readonly action: string
  readonly result: string
  readonly period: Period
}

/** How far back; `chosen` with its bounds as an input for local time has them, empty for none. */
export type Period =
  | { readonly of: 'all' | 'hour' | 'day' | 'week' | 'month' }
  | { readonly of: 'chosen'; readonly from: string; readonly to: string }

export const noFilter: AuditFilter = { user: '', action: '', result: '', period: { of: 'all' } }

/** Milliseconds. */
const hour = 3_600_000
const lengths = { all: undefined, hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour }

/** The query of `GET /api/audit`. @param now Unix milliseconds. */
export function auditQuery({ user, action, result, period }: AuditFilter, now: number): URLSearchParams {
  const query = new URLSearchParams()
  const set = (name: string, value: string) => value && query.set(name, value)
  set('user', user.trim())
  set('action', action)
  set('result', result)
  if (period.of === 'chosen') {
    set('after', seconds(period.from))
    // To the end of the minute named.
    const to = seconds(period.to)
    if (to) query.set('before', String(Number(to) + 60))
  } else {
    const length = lengths[period.of]
    if (length !== undefined) query.set('after', String(Math.floor((now - length) / 1000)))
  }
  return query
}

/** Unix seconds of a local time as `2026-01-31T23:59`; empty where it is none. */
function seconds(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) || at < 0 ? '' : String(at / 1000)
}
