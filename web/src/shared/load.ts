import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** What a page knows about something it asked for. */
export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Error; readonly again: () => void }
  /** `stale`: the newest try failed, and this is what we knew before. */
  | { readonly state: 'ready'; readonly value: T; readonly stale: boolean }

export function loadOf<T>(query: UseQueryResult<T>): Load<T> {
  // What was shown before is no answer once the service says no.
  const refused = query.error instanceof ApiError && query.error.failure.status === 403
  if (query.data !== undefined && !refused) return { state: 'ready', value: query.data, stale: query.isError }
  if (query.isError) return { state: 'failed', error: query.error, again: () => void query.refetch() }
  return { state: 'loading' }
}

/** What failed of several; trying again tries all of it. */
export function failureAmong(...loads: readonly Load<unknown>[]): { error: Error; again: () => void } | undefined {
  const failed = loads.filter((load) => load.state === 'failed')
  return failed[0] && { error: failed[0].error, again: () => failed.forEach(({ again }) => again()) }
}
