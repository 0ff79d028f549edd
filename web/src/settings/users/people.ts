import { queryOptions } from '@tanstack/react-query'
import type { SessionView, UserView } from '../../../../server/src/accounts/views.ts'
import { ApiError, ask, askPage, type ListPage } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'

export type { SessionView, UserView } from '../../../../server/src/accounts/views.ts'

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
  readonly most: number
}

export interface UsersFound {
  readonly users: readonly UserView[]
  /** How many fit, shown or not. */
  readonly total: number
}

/** The most that the service gives at a time. */
const pageSize = 500

/** Asks page by page for as many as are wanted. */
export async function usersFound({ most, ...filter }: UsersWanted, signal?: AbortSignal): Promise<UsersFound> {
  const said = Object.entries({ ...filter, limit: Math.min(most, pageSize) })
    .filter(([, value]) => value !== '')
    .map(([name, value]): [string, string] => [name, String(value)])
  const users: UserView[] = []
  let total: number | undefined
  let next: string | undefined = `?${new URLSearchParams(said).toString()}`
  while (next !== undefined && users.length < most) {
    const page: ListPage<UserView> = await askPage<UserView>(`api/users${next}`, { signal })
    users.push(...page.items)
    total ??= page.total
    next = page.next
  }
  return { users: users.slice(0, most), total: Math.max(total ?? 0, users.length) }
}

export const usersQuery = (wanted: UsersWanted) =>
  queryOptions({
    queryKey: queryKeys.users.list(wanted),
    queryFn: ({ signal }) => usersFound(wanted, signal),
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
async function userNamed(name: string, signal: AbortSignal): Promise<UserView | null> {
  try {
    return await ask<UserView>(userPath(name), { signal })
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
