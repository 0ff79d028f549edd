import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError, send } from './api.ts'

/**
 * Deletes what may already have been deleted elsewhere, which isn't a failure.
 *
 * @param isGone decides about a 403: the service doesn't tell users whose rights end at what they own whether anything
 *   else exists, and what is gone is no longer theirs
 * @param signal aborts the request; without one, it's given up after half a minute
 * @returns false if it was already deleted
 */
export async function deleteUnlessGone(
  path: string,
  isGone?: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await send(path, { method: 'DELETE', signal })
    return true
  } catch (error) {
    const status = error instanceof ApiError ? error.failure.status : undefined
    if (status === 404 || (status === 403 && (await isGone?.()))) return false
    throw error
  }
}

/** Refetches a list that a page shows. @returns whether it no longer contains this id */
export async function isUnlisted(queries: QueryClient, queryKey: QueryKey, id: string): Promise<boolean> {
  await queries.invalidateQueries({ queryKey })
  const list = queries.getQueryData<readonly { readonly id: string }[]>(queryKey)
  return list !== undefined && list.every((one) => one.id !== id)
}
