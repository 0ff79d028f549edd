import { queryOptions } from '@tanstack/react-query'
import type { SessionView, UserView } from '../../../../server/src/accounts/views.ts'
import { ask } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'

export type { SessionView, UserView } from '../../../../server/src/accounts/views.ts'

export const usersQuery = queryOptions({
  queryKey: queryKeys.users.list,
  queryFn: ({ signal }) => ask<UserView[]>('api/users', { signal }),
  // Another admin may be at work.
  refetchInterval: 30_000,
})

export const sessionsOfQuery = (user: string) =>
  queryOptions({
    queryKey: queryKeys.sessions.of(user),
    queryFn: ({ signal }) => ask<SessionView[]>(`api/sessions?user=${encodeURIComponent(user)}`, { signal }),
    refetchInterval: 30_000,
  })

export const userPath = (name: string): string => `api/users/${encodeURIComponent(name)}`
