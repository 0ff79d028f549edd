import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'

/** Refetches the factors, and the sessions that a change can end. */
export function useFactorsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.factors }),
      queries.invalidateQueries({ queryKey: queryKeys.sessions.mine }),
    ])
  }
}
