import { queryOptions } from '@tanstack/react-query'
import type { PendingLink, SessionResponse, UserResponse } from '../../../server/src/api-types.ts'
import { ApiError, fetchJson, fetchPage, type ListPage } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The users that a page needs; every given filter applies. */
export interface UserPageQuery {
  /** Part of the username. */
  readonly search?: string
  readonly role?: string
  /** A camera that they can see now. */
  readonly camera?: string
  /** Only users whose role does not exist. */
  readonly orphaned?: true
  /** Only users of the identity provider, or only those with a password. */
  readonly provider?: boolean | undefined
  /** A column, with a leading `-` for descending. */
  readonly sort?: string
  /** Maximum number of users. */
  readonly max: number
}

export interface UsersFound {
  readonly users: readonly UserResponse[]
  /** Number of matching users, fetched or not. */
  readonly total: number
}

/** Users per request, the maximum that the service allows. */
const pageSize = 500

/** Fetches matching users page by page, up to `max`. */
export async function usersFound({ max, ...filter }: UserPageQuery, signal?: AbortSignal): Promise<UsersFound> {
  const params = Object.entries({ ...filter, limit: Math.min(max, pageSize) })
    .filter(([, value]) => value !== '' && value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  const users: UserResponse[] = []
  let total: number | undefined
  let next: string | undefined = `?${new URLSearchParams(params).toString()}`
  while (next !== undefined && users.length < max) {
    const page: ListPage<UserResponse> = await fetchPage<UserResponse>(`api/users${next}`, { signal })
    users.push(...page.items)
    total ??= page.total
    next = page.next
  }
  return { users: users.slice(0, max), total: Math.max(total ?? 0, users.length) }
}

export const usersQuery = (requested: UserPageQuery) =>
  queryOptions({
    queryKey: queryKeys.users.list(requested),
    queryFn: ({ signal }) => usersFound(requested, signal),
    // Another admin can change users too.
    refetchInterval: 30_000,
  })

/** @param key of the user, or a local user's name in any case */
export const userQuery = (key: string) =>
  queryOptions({
    queryKey: queryKeys.users.one(key.toLowerCase()),
    queryFn: ({ signal }) => userOf(key, signal),
    refetchInterval: 30_000,
  })

/** null if there is no such user. */
async function userOf(key: string, signal: AbortSignal): Promise<UserResponse | null> {
  try {
    return await fetchJson<UserResponse>(userPath(key), { signal })
  } catch (error) {
    if (error instanceof ApiError && error.failure.status === 404) return null
    throw error
  }
}

/** @param key of the user */
export const sessionsOfQuery = (key: string) =>
  queryOptions({
    queryKey: queryKeys.sessions.of(key),
    queryFn: ({ signal }) => fetchJson<SessionResponse[]>(`api/sessions?user=${encodeURIComponent(key)}`, { signal }),
    refetchInterval: 30_000,
  })

/** The invitations and reset links that can still be used, newest first. */
export const pendingLinksQuery = queryOptions({
  queryKey: queryKeys.oneTimeLinks.pending,
  queryFn: ({ signal }) => fetchJson<PendingLink[]>('api/invitations', { signal }),
  refetchInterval: 30_000,
})

/** @param key of the user: two users can have the same name */
export const userPath = (key: string): string => `api/users/${encodeURIComponent(key)}`
