import { useQueryClient } from '@tanstack/react-query'
import type { NewStatus } from '../../../../../server/src/api-types.ts'
import { ApiError, sendJson } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import type { Texts } from '../../../i18n/texts.ts'

/** A function that changes a user's status and then refetches what depends on it, also after a failure. */
export function useStatusChange(key: string): (status: NewStatus) => Promise<void> {
  const queries = useQueryClient()
  return async (status) => {
    try {
      await sendJson('PUT /api/users/:username/status', { username: key }, status)
    } finally {
      // Awaited, so that the page knows the new status when the change ends.
      await Promise.all(
        [queryKeys.users.all, queryKeys.sessions.of(key)].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
    }
  }
}

/** What the page itself says about a refused change: that this is the last admin. */
export const statusProblem = (error: Error, { users }: Pick<Texts<'users'>, 'users'>): string | undefined =>
  error instanceof ApiError && error.failure.status === 409 ? users.status.lastAdmin : undefined
