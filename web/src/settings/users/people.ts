import { queryOptions } from '@tanstack/react-query'
import type { SessionView } from '../../../../server/src/auth/session/session-response.ts'
import type { UserResponse } from '../../../../server/src/users/views.ts'
import { ApiError, ask, askPage, type ListPage } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'

export type { SessionView } from '../../../../server/src/auth/session/session-response.ts'
export type { UserResponse } from '../../../../server/src/users/views.ts'

/** Which users a page needs, by every filter that is given. */
export interface UsersWanted {
  /** Part of the name. */
  readonly search?: string
  readonly role?: string
  /** Those whose role includes it. */
  readonly camera?: string
  /** Those whose role does not exist. */
  readonly orphaned?: true
  /** A column, with `-` before it where the last comes first. */
  readonly sort?: string
  /** How many of them, at most. */
  readonly max: number
}

export interface UsersFound {
  readonly users: readonly UserResponse[]
  /** How many fit, shown or not. */
  readonly total: number
}

/** The most that the service gives at a time. */
const pageSize = 500

/** Asks page by page for as many as are wanted. */
export async function usersFound({ max, ...filter }: UsersWanted, signal?: AbortSignal): Promise<UsersFound> {
  const message = Object.entries({ ...filter, limit: Math.min(max, pageSize) })
    .filter(([, value]) => value !== '')
    .map(([name, value]): [string, string] => [name, String(value)])
  const users: UserResponse[] = []
  let total: number | undefined
  let next: string | undefined = `?${new URLSearchParams(message).toString()}`
  while (next !== undefined && users.length < max) {
    const page: ListPage<UserResponse> = await askPage<UserResponse>(`api/users${next}`, { signal })
    users.push(...page.items)
    total ??= page.total
    next = page.next
  }
  return { users: users.slice(0, max), total: Math.max(total ?? 0, users.length) }
}

export const usersQuery = (requested: UsersWanted) =>
  queryOptions({
    queryKey: queryKeys.users.list(requested),
    queryFn: ({ signal }) => usersFound(requested, signal),
    // Another admin may be at work.
    refetchInterval: 30_000,
  })

export const userQuery = (name: string) =>
  queryOptions({
    queryKey: queryKeys.users.one(name.toLowerCase()),
    queryFn: ({ signal }) => userNamed(name, signal),
    refetchInterval: 30_000,
  })

/** null where there is none of that name. */
async function userNamed(name: string, signal: AbortSignal): Promise<UserResponse | null> {
  try {
    return await ask<UserResponse>(userPath(name), { signal })
  } catch (error) {
    if (error instanceof ApiError && error.failure.status === 404) return null
    throw error
  }
}

export const sessionsOfQuery = (user: string) =>
  queryOptions({
    queryKey: queryKeys.sessions.of(user),
    queryFn: ({ signal }) => ask<SessionView[]>(`api/sessions?user=${encodeURIComponent(user)}`, { signal }),
    refetchInterval: 30_000,
  })

export const userPath = (name: string): string => `api/users/${encodeURIComponent(name)}`
