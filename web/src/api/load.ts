import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** The state of a request that a page depends on. */
export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Error; readonly again: () => void }
  /** `stale`: the latest refresh failed, and `value` is from an earlier one. */
  | { readonly state: 'ready'; readonly value: T; readonly stale: boolean }

export function loadOf<T>(query: UseQueryResult<T>): Load<T> {
  // After a 403, earlier data must not be shown anymore.
  const refused = query.error instanceof ApiError && query.error.failure.status === 403
  if (query.data !== undefined && !refused) return { state: 'ready', value: query.data, stale: query.isError }
  if (query.isError) return { state: 'failed', error: query.error, again: () => void query.refetch() }
  return { state: 'loading' }
}

/** The first failure among several; `again` retries all that failed. */
export function failureAmong(...loads: readonly Load<unknown>[]): { error: Error; again: () => void } | undefined {
  const failed = loads.filter((load) => load.state === 'failed')
  return failed[0] && { error: failed[0].error, again: () => failed.forEach(({ again }) => again()) }
}
